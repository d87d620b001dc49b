import { setTimeout as pause } from 'node:timers/promises';
import {
  connect,
  Events,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
  type Status,
  type Subscription,
} from 'nats';
import { errorForLog } from '@payroll/kernel';
import { type Log, metrics, onScrape } from '@payroll/runtime';
import { noAnswer, NoReply, replyTo, type Reply, type RequestHandler, whyNot } from './request-reply.js';
import { connectionOptions, type NatsOptions } from './settings.js';

const RETRY_MS = 250;
const CLOSE_WITHIN_MS = 2_000;

/** Connects in the background, again and again: a process also starts while NATS is down. */
export function connectNats(options: NatsOptions): Bus {
  return new Bus(options);
}

/** This process's one connection to NATS. Disposing lets running answers finish, then closes. */
export class Bus implements AsyncDisposable {
  private nats: NatsConnection | undefined;
  private up = false;
  private readonly closing = new AbortController();
  private readonly connecting: Promise<void>;
  private readonly dialled = Promise.withResolvers<void>();
  private readonly renewals: (() => void)[] = [];
  private readonly subscriptions = new Set<Subscription>();
  private readonly answering = new Set<Promise<void>>();
  private readonly log: Log;
  private readonly observed = onScrape({
    name: 'nats',
    read: () => metrics.busConnected.set({}, this.up ? 1 : 0),
    sets: [metrics.busConnected],
  });

  constructor({ log, ...options }: NatsOptions) {
    this.log = log;
    this.connecting = this.connect(() => connectionOptions(options));
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
   * @throws DomainError `SERVICE_UNAVAILABLE` after the time-out, and at once when there is no subscriber or no connection.
   */
  async request(subject: string, body: unknown, timeoutMs: number): Promise<unknown> {
    if (!this.connection) throw noAnswer(new NoReply('disconnected'));
    let reply: Reply;
    try {
      const message = await this.connection.request(subject, JSON.stringify(body), { timeout: timeoutMs });
      reply = message.json<Reply>();
    } catch (error) {
      throw noAnswer(new NoReply(whyNot(error)));
    }
    if ('error' in reply) throw noAnswer(new NoReply('failed'));
    return reply.answer;
  }

  /** Answers requests; each goes to one process of the queue group. Errors of the handler are logged, not sent. */
  answer(subject: string, queue: string, handler: RequestHandler): void {
    this.subscribe(subject, { queue }, (message) => {
      const answered = replyTo(message, handler, this.log).finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    });
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

  /** Lasts over every reconnect. */
  private subscribe(subject: string, options: { queue?: string }, listener: (message: Msg) => void): void {
    let subscription: Subscription | undefined;
    const callback = (error: Error | null, message: Msg): void => {
      if (error) this.log.error({ subject, error: errorForLog(error) }, 'NATS ended a subscription');
      else listener(message);
    };
    const renew = (): void => {
      // The client renews it on reconnect, unless NATS has ended it.
      if (!this.nats || subscription?.isClosed() === false) return;
      if (subscription) this.subscriptions.delete(subscription);
      subscription = this.nats.subscribe(subject, { ...options, callback });
      this.subscriptions.add(subscription);
    };
    this.renewals.push(renew);
    if (this.up) renew();
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
        this.adopt(await connect(options()));
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
    if (status.type === Events.Disconnect) this.wentDown();
    if (status.type === Events.Reconnect) this.wentUp('Connected to NATS again');
    if (status.type === Events.Error) {
      this.log.error({ code: status.data, permission: status.permissionContext }, 'NATS reports an error');
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
    if (!this.closing.signal.aborted) this.log.warn({}, 'Lost the connection to NATS');
  }
}
