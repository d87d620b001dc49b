import { connect, Events, type Msg, type NatsConnection, type Status, type Subscription } from 'nats';
import { errorForLog } from '@payroll/kernel';
import { metrics, onScrape } from '@payroll/telemetry';
import type { Log } from './log.js';
import { connectionOptions, type NatsOptions } from './nats-options.js';
import { pause } from './pause.js';
import { noAnswer, replyTo, sendRequest, type RequestHandler } from './request-reply.js';

const RETRY_MS = 250;
const CLOSE_WITHIN_MS = 2_000;

/**
 * Connects in the background, for ever, and again whenever the connection is lost: a process starts, and says that it is
 * not ready, also while NATS is down.
 */
export function connectNats(options: NatsOptions): Bus {
  return new Bus(options);
}

/** This process's one connection to NATS. Disposing of it lets running answers finish, then closes. */
export class Bus implements AsyncDisposable {
  private nats: NatsConnection | undefined;
  private up = false;
  private readonly closing = new AbortController();
  private readonly connecting: Promise<void>;
  private readonly upListeners = new Set<() => void>();
  private readonly downListeners = new Set<() => void>();
  private readonly subscriptions = new Set<Subscription>();
  private readonly answering = new Set<Promise<void>>();
  private readonly log: Log;
  private readonly observed = onScrape({
    name: 'nats',
    read: () => metrics.busConnected.set({}, this.up ? 1 : 0),
    sets: [metrics.busConnected],
  });

  constructor(private readonly options: NatsOptions) {
    this.log = options.log;
    this.connecting = this.connect();
  }

  /** Whether NATS can be reached right now. */
  get connected(): boolean {
    return this.up;
  }

  /** The connection while NATS can be reached. */
  get connection(): NatsConnection | undefined {
    return this.up ? this.nats : undefined;
  }

  /** Calls back now, if connected, and after every later connect. Gives back how to stop that. */
  onConnected(listener: () => void): () => void {
    this.upListeners.add(listener);
    if (this.up) listener();
    return () => this.upListeners.delete(listener);
  }

  onDisconnected(listener: () => void): () => void {
    this.downListeners.add(listener);
    return () => this.downListeners.delete(listener);
  }

  /** @throws DomainError `SERVICE_UNAVAILABLE` when there is no answer in time, and at once when there can be none. */
  async request(subject: string, body: unknown, timeoutMs: number): Promise<unknown> {
    if (!this.connection) throw noAnswer();
    return await sendRequest(this.connection, subject, body, timeoutMs);
  }

  /** Answers requests; each goes to one process of the queue group. What the handler throws is logged, not told. */
  answer(subject: string, queue: string, handler: RequestHandler): void {
    this.subscribe(subject, { queue }, (message) => {
      const answered = replyTo(message, handler, this.log).finally(() => this.answering.delete(answered));
      this.answering.add(answered);
    });
  }

  /** Fire and forget: dropped while NATS cannot be reached. */
  publish(subject: string, body: unknown): void {
    this.connection?.publish(subject, JSON.stringify(body));
  }

  /** Holds from the first connect on, over every reconnect. Gives back how to stop it. */
  subscribe(subject: string, options: { queue?: string }, listener: (message: Msg) => void): () => void {
    let subscription: Subscription | undefined;
    const callback = (error: Error | null, message: Msg): void => {
      if (error) this.log.error({ subject, error: errorForLog(error) }, 'NATS ended a subscription');
      else listener(message);
    };
    const stop = (): void => {
      if (!subscription) return;
      this.subscriptions.delete(subscription);
      subscription.unsubscribe();
    };
    const stopRenewing = this.onConnected(() => {
      // Renewed by the client, unless NATS has ended it.
      if (!this.nats || subscription?.isClosed() === false) return;
      stop();
      subscription = this.nats.subscribe(subject, { ...options, callback });
      this.subscriptions.add(subscription);
    });
    return () => {
      stopRenewing();
      stop();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.closing.abort();
    this.observed[Symbol.dispose]();
    await this.connecting;
    if (!this.nats || this.nats.isClosed()) return;
    await Promise.race([this.drain(this.nats), pause(CLOSE_WITHIN_MS)]);
    await this.nats.close();
  }

  /** Only while NATS can be reached: the client would wait for its answer for ever. */
  private async drain(nats: NatsConnection): Promise<void> {
    if (!this.up) return;
    try {
      // First no new requests, then the answers to those that came.
      await Promise.all([...this.subscriptions].map((subscription) => subscription.drain()));
      await Promise.all(this.answering);
      await nats.drain();
    } catch (error) {
      this.log.warn({ error: errorForLog(error) }, 'The connection to NATS was lost while it was being closed');
    }
  }

  private async connect(): Promise<void> {
    const { signal } = this.closing;
    for (let attempt = 1; !signal.aborted; attempt++) {
      try {
        this.adopt(await connect(connectionOptions(this.options)));
        return;
      } catch (error) {
        if (attempt % 40 === 1) this.log.warn({ attempt, error: errorForLog(error) }, 'NATS cannot be reached yet');
      }
      await pause(RETRY_MS * (1 + Math.random()), signal);
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

  // The client repeats both events, once for each dial it made: only the first counts.

  private wentUp(message: string): void {
    if (this.up || this.closing.signal.aborted) return;
    this.up = true;
    this.log.info({}, message);
    for (const listener of this.upListeners) listener();
  }

  private wentDown(): void {
    if (!this.up) return;
    this.up = false;
    if (!this.closing.signal.aborted) this.log.warn({}, 'Lost the connection to NATS');
    for (const listener of this.downListeners) listener();
  }
}
