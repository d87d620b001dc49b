import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/bus';
import { errorForLog, isId, newId, type ServiceName } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { readHistory } from '@payroll/store';
import type { ConsumerInfo } from 'nats';
import type { Idle } from './outbox-rows.js';
import { receiptSubject } from './streams.js';

const EVERY_MS = 5_000;
/** Between signs that are asked for: thousands of events may ask in a row. */
const AT_LEAST_MS = 1_000;
/** Three signs of life. */
const FORGOTTEN_AFTER_MS = 15_000;
/** More than is ever under way: a consumer with so much before it has enough in the stream for a while. */
const BEHIND = 1_000;

/** What a consumer says of itself, on the subject of its receipts. */
export interface SignOfLife {
  /** One consumer in one process, from one connect to the next. */
  session: string;
  history: string;
  /** It has enough to take from the stream: nothing has to be offered again yet. */
  isBehind: boolean;
}

/** What is known of a consumer wherever a part of it works. */
export interface ConsumerParts {
  bus: Bus;
  em: EntityManager;
  publisher: ServiceName;
  service: ServiceName;
  log: Log;
}

interface SignsOfLifeOptions extends ConsumerParts {
  /** Where the consumer is in the stream. */
  position: () => Promise<ConsumerInfo>;
}

/** Tells a publisher that this consumer is there, whether it is behind and in which history. Silent in outages. */
export class SignsOfLife implements Disposable {
  private readonly session = newId();
  private readonly timer = setInterval(() => void this.give(), EVERY_MS);
  private givenAt = -Infinity;
  private wasBehind = false;

  constructor(private readonly options: SignsOfLifeOptions) {
    this.timer.unref();
    void this.give();
  }

  /** This consumer has met another history: the publisher should know now, not in a few seconds. */
  hurry(): void {
    if (performance.now() - this.givenAt >= AT_LEAST_MS) void this.give();
  }

  /** Nothing waits in the stream: a publisher that holds back for this consumer may go on at once. */
  caughtUp(): void {
    if (this.wasBehind) this.hurry();
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private async give(): Promise<void> {
    this.givenAt = performance.now();
    const { bus, em, publisher, service, log, position } = this.options;
    try {
      const [{ num_pending, num_ack_pending }, history] = await Promise.all([position(), readHistory(em)]);
      const sign: SignOfLife = { session: this.session, history, isBehind: num_pending + num_ack_pending > BEHIND };
      this.wasBehind = sign.isBehind;
      bus.publish(receiptSubject(publisher, service), { alive: sign });
    } catch (error) {
      log.warn({ publisher, error: errorForLog(error) }, 'A publisher was not told that this consumer is there');
    }
  }
}

export function isSignOfLife(value: unknown): value is SignOfLife {
  const { session, history, isBehind } = (value ?? {}) as Record<string, unknown>;
  return isId(session) && typeof history === 'string' && typeof isBehind === 'boolean';
}

interface Session extends SignOfLife {
  consumer: string;
  heardAt: number;
}

/** The publisher's side: which consumers are there and would take what is offered to them. */
export class IdleConsumers {
  private readonly sessions = new Map<string, Session>();
  private readonly histories = new Map<string, string>();

  /** True when the consumer's history has changed: what it had applied in the old one may be missing now. */
  hear(consumer: string, sign: SignOfLife): boolean {
    const before = this.histories.get(consumer);
    this.forget();
    this.sessions.set(sign.session, { ...sign, consumer, heardAt: performance.now() });
    this.histories.set(consumer, sign.history);
    return before !== undefined && before !== sign.history;
  }

  list(): Idle[] {
    this.forget();
    const all = [...this.sessions.values()];
    const behind = new Set(all.filter(({ isBehind }) => isBehind).map(({ consumer }) => consumer));
    return all.filter(({ consumer }) => !behind.has(consumer)).map(({ consumer, history }) => ({ consumer, history }));
  }

  private forget(): void {
    for (const [session, { heardAt }] of this.sessions) {
      if (performance.now() - heardAt > FORGOTTEN_AFTER_MS) this.sessions.delete(session);
    }
  }
}
