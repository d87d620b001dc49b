import { setTimeout as pause } from 'node:timers/promises';
import {
  connect,
  type ConnectionOptions,
  errors,
  type Msg,
  type NatsConnection,
  type Status,
  type Subscription,
} from '@nats-io/transport-node';
import { errorForLog } from '@payroll/kernel';
import { type Log, metrics, onScrape, Passwords } from '@payroll/runtime';
import {
  noReplyError,
  NoReply,
  replyTo,
  type Reply,
  type RequestHandler,
  whyNoReply,
  whyNot,
} from './request-reply.js';
import { connectionOptions, type NatsOptions, requireReadable } from './settings.js';

const RETRY_MS = 250;
const CLOSE_WITHIN_MS = 2_000;
const ANSWERED_WITHIN_MS = 2_000;

/** Longer than a service takes to connect again after NATS has read a new password for it. */
const ASK_AGAIN_FOR_MS = 500;
const ASK_AGAIN_AFTER_MS = 25;

/**
 * This process's one connection to NATS, made in the background, again and again: a process also starts while NATS is down.
 * Disposing lets running answers finish, then closes.
 */
export class Bus implements AsyncDisposable {
  private nats: NatsConnection | undefined;
  private up = false;
  private readonly closing = new AbortController();
  private readonly connecting: Promise<void>;
  private readonly dialled = Promise.withResolvers<void>();
  private readonly renewals: (() => void)[] = [];
  private readonly subscriptions = new Set<Subscription>();
  private readonly answering = new Set<Promise<void>>();
  /** Rejects the requests that wait for an answer on this connection. */
  private readonly waiting = new Set<(error: NoReply) => void>();
  private readonly passwords: Passwords;
  /** The password of the last attempt to connect. */
  private shown = '';
  private readonly log: Log;
  private readonly observed = onScrape({
    name: 'nats',
    read: () => metrics.busConnected.set({}, this.up ? 1 : 0),
    sets: [metrics.busConnected],
  });

  constructor({ log, otherPassword, ...options }: NatsOptions) {
    requireReadable(options);
    this.log = log;
    const { password } = new URL(options.url.split(',')[0]!);
    this.passwords = new Passwords(decodeURIComponent(password), otherPassword);
    const show = (): string => (this.shown = this.passwords.current);
    this.connecting = this.connect(() => connectionOptions(options, show));
  }

  get connected(): boolean {
    return this.up;
  }

  /** Resolves once NATS has every subscription that was made so far, or cannot be reached. */
  async subscribed(): Promise<void> {
    await this.dialled.promise;
    await this.connection?.flush().catch(() => undefined);
  }

  /**
   * For a question without an effect. NATS disconnects a service for a moment when its password changes, so without a
   * subscriber or a connection the request is repeated for half a second, but not after the time-out.
   * @throws DomainError `SERVICE_UNAVAILABLE` after that, and after the time-out.
   */
  async request(subject: string, body: unknown, timeoutMs = ANSWERED_WITHIN_MS): Promise<unknown> {
    const asked = performance.now();
    const until = asked + Math.min(ASK_AGAIN_FOR_MS, timeoutMs);
    for (let leftMs = timeoutMs; ; leftMs = asked + timeoutMs - performance.now()) {
      try {
        return await this.requestOnce(subject, body, leftMs);
      } catch (error) {
        const why = whyNoReply(error);
        if (why !== 'disconnected' && why !== 'no_responders') throw error;
        await pause(ASK_AGAIN_AFTER_MS);
        if (performance.now() >= until) throw error;
      }
    }
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` after the time-out, and at once when there is no subscriber or no connection. */
  async requestOnce(subject: string, body: unknown, timeoutMs: number): Promise<unknown> {
    if (!this.connection) throw noReplyError(new NoReply('disconnected'));
    const { promise: lost, reject } = Promise.withResolvers<never>();
    this.waiting.add(reject);
    let reply: Reply;
    try {
      const asked = this.connection.request(subject, JSON.stringify(body), { timeout: timeoutMs });
      reply = (await Promise.race([asked, lost])).json<Reply>();
    } catch (error) {
      throw noReplyError(error instanceof NoReply ? error : new NoReply(whyNot(error)));
    } finally {
      this.waiting.delete(reject);
    }
    if ('error' in reply) throw noReplyError(new NoReply('failed'));
    return reply.answer;
  }

  /**
   * Answers requests, over every reconnect; each goes to one process of the queue group. Errors of the handler are logged,
   * not sent.
   */
  answer(subject: string, queue: string, handler: RequestHandler): void {
    let subscription: Subscription | undefined;
    const callback = (error: Error | null, message: Msg): void => {
      if (error) {
        this.log.error({ subject, error: errorForLog(error) }, 'NATS ended a subscription');
        return;
      }
      const answered = replyTo(message, handler, this.log).finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    };
    const renew = (): void => {
      // The client renews it on reconnect, unless NATS has ended it.
      if (!this.nats || subscription?.isClosed() === false) return;
      if (subscription) this.subscriptions.delete(subscription);
      subscription = this.nats.subscribe(subject, { queue, callback });
      this.subscriptions.add(subscription);
    };
    this.renewals.push(renew);
    if (this.up) renew();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closing.abort();
    this.observed[Symbol.dispose]();
    await this.connecting;
    if (!this.nats || this.nats.isClosed()) return;
    await Promise.race([this.drain(this.nats), pause(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    await this.nats.close();
  }

  private get connection(): NatsConnection | undefined {
    return this.up ? this.nats : undefined;
  }

  /** Only while NATS can be reached: otherwise the client would wait forever. */
  private async drain(nats: NatsConnection): Promise<void> {
    if (!this.up) return;
    try {
      // Stop taking requests first, then finish answering the last ones.
      await Promise.all([...this.subscriptions].map((subscription) => subscription.drain()));
      await Promise.all(this.answering);
      await nats.drain();
    } catch (error) {
      this.log.warn({ error: errorForLog(error) }, 'The connection to NATS was lost while it was being closed');
    }
  }

  private async connect(options: () => ConnectionOptions): Promise<void> {
    const { signal } = this.closing;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        this.adopt(await this.passwords.connect(() => connect(options()), isRefusal));
        return;
      } catch (error) {
        this.dialled.resolve();
        if (attempt % 40 === 1) this.log.warn({ attempt, error: errorForLog(error) }, 'NATS cannot be reached yet');
      }
      await pause(RETRY_MS * (1 + Math.random()), undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private adopt(nats: NatsConnection): void {
    this.nats = nats;
    void this.watch(nats);
    void nats.closed().then((error) => {
      this.up = false;
      if (!this.closing.signal.aborted) {
        this.log.error({ error: errorForLog(error) }, 'The NATS client closed its connection for good');
      }
    });
    this.wentUp('Connected to NATS');
    this.dialled.resolve();
  }

  private async watch(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) this.noteStatus(status);
  }

  private noteStatus(status: Status): void {
    if (status.type === 'disconnect') this.wentDown();
    if (status.type === 'reconnect') this.wentUp('Connected to NATS again');
    if (status.type === 'error') {
      if (isRefusal(status.error)) this.passwords.refused(this.shown);
      this.log.error({ error: errorForLog(status.error) }, 'NATS reports an error');
    }
  }

  // The client reports both events once per dial; only the first counts.

  private wentUp(message: string): void {
    if (this.up || this.closing.signal.aborted) return;
    this.up = true;
    this.log.info({}, message);
    for (const renew of this.renewals) renew();
  }

  private wentDown(): void {
    if (!this.up) return;
    this.up = false;
    for (const reject of this.waiting) reject(new NoReply('disconnected'));
    if (!this.closing.signal.aborted) this.log.warn({}, 'Lost the connection to NATS');
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof errors.AuthorizationError;
}
