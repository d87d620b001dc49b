import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/bus';
import type { Log } from '@payroll/process';
import { errorForLog, isId, newId, type ServiceName } from '@payroll/kernel';
import { readHistory } from '@payroll/store';
import type { ConsumerInfo } from 'nats';
import { receiptSubject } from './stream.js';

const EVERY_MS = 5_000;
/** Between signs that are asked for: thousands of events may ask in a row. */
const AT_LEAST_MS = 1_000;
/** More than is on its way at any moment: who has so much before it is served by the stream for a while. */
const BEHIND = 1_000;

/** What a consumer says of itself, beside its receipts. */
export interface SignOfLife {
  /** One consumer in one process, from one connect to the next. */
  session: string;
  /** In which history it finds its database. */
  history: string;
  /** It has enough to take from the stream: nothing has to be offered again yet. */
  isBehind: boolean;
}

export interface SignsOfLifeOptions {
  bus: Bus;
  em: EntityManager;
  publisher: ServiceName;
  service: ServiceName;
  log: Log;
  /** Where the consumer stands in the stream. */
  position: () => Promise<ConsumerInfo>;
}

/**
 * Tells a publisher that this consumer is there, caught up or not, and in which history of the database: by that the publisher
 * knows whom to offer again what. Silent while Postgres or NATS is away.
 */
export class SignsOfLife implements Disposable {
  private readonly session = newId();
  private readonly timer = setInterval(() => void this.give(), EVERY_MS);
  private givenAt = -Infinity;
  private wasBehind = false;

  constructor(private readonly options: SignsOfLifeOptions) {
    this.timer.unref();
    void this.give();
  }

  /** This consumer has met another history: now, rather than in a few seconds. */
  hurry(): void {
    if (performance.now() - this.givenAt >= AT_LEAST_MS) void this.give();
  }

  /** Nothing waits in the stream: a publisher that holds back on our account may go on at once. */
  caughtUp(): void {
    if (this.wasBehind) this.hurry();
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private async give(): Promise<void> {
    this.givenAt = performance.now();
    const { bus, publisher, service, log } = this.options;
    try {
      const sign: SignOfLife = { session: this.session, ...(await this.look()) };
      this.wasBehind = sign.isBehind;
      bus.publish(receiptSubject(publisher, service), { alive: sign });
    } catch (error) {
      log.warn({ publisher, error: errorForLog(error) }, 'A publisher was not told that this consumer is there');
    }
  }

  private async look(): Promise<Omit<SignOfLife, 'session'>> {
    const { em, position } = this.options;
    const [{ num_pending, num_ack_pending }, history] = await Promise.all([position(), readHistory(em)]);
    return { history, isBehind: num_pending + num_ack_pending > BEHIND };
  }
}

export function isSignOfLife(value: unknown): value is SignOfLife {
  const { session, history, isBehind } = (value ?? {}) as Record<string, unknown>;
  return isId(session) && typeof history === 'string' && typeof isBehind === 'boolean';
}
