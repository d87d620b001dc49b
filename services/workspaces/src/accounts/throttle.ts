import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, unavailable } from '@payroll/kernel';
import { hashSecret } from '@payroll/pages';
import { read, sql, rawSql, write } from '@payroll/store';
import { type Counter, countInto, networkOf } from '../admission/rate-counters.js';
import { type Count, type Subject, waitForAttempt, WINDOW_MINUTES } from '../domain/account.js';

interface Queue {
  atOnce: number;
  maxWaiting: number;
  /** How many hashes, running or waiting, one address or account may have. */
  maxOfOne: number;
}

/** Concurrency limiter with a bounded FIFO queue: `atOnce` tasks run, at most `maxWaiting` wait. */
export class ConcurrencyLimiter {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly taken = new Map<string, number>();

  constructor(private readonly queue: Queue) {}

  /**
   * @param sharers the keys the task counts for, such as an address and an account: each has a share of the queue.
   * @throws DomainError `SERVICE_UNAVAILABLE` when the queue is full; `RATE_LIMITED` when a sharer's share is used
   * up.
   */
  async take<T>(sharers: readonly string[], work: () => Promise<T>): Promise<T> {
    if (sharers.some((each) => (this.taken.get(each) ?? 0) >= this.queue.maxOfOne)) throw tooManyAtOnce();
    this.count(sharers, 1);
    try {
      return await this.inTurn(work);
    } finally {
      this.count(sharers, -1);
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.queue.atOnce) this.running += 1;
    else if (this.waiting.length < this.queue.maxWaiting)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    else throw unavailable('Sign-in');
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Pass the slot on to the next in the queue, so that a newcomer cannot overtake it.
      if (next) next();
      else this.running -= 1;
    }
  }

  private count(sharers: readonly string[], change: 1 | -1): void {
    for (const each of sharers) {
      const now = (this.taken.get(each) ?? 0) + change;
      if (now === 0) this.taken.delete(each);
      else this.taken.set(each, now);
    }
  }
}

function tooManyAtOnce(): DomainError {
  const retryAfterSeconds = 5;
  return new DomainError('RATE_LIMITED', 'Too many attempts at the same time. Try again in a moment.', {
    retryAfterSeconds,
  });
}

/**
 * Queues a flood here instead of in Postgres: attempts wait for the same row, and each would hold a connection that
 * admission needs.
 */
const turns = new ConcurrencyLimiter({ atOnce: 2, maxWaiting: 1_000, maxOfOne: 100 });

/**
 * Counts an attempt before it is decided, so that concurrent attempts cannot exceed the limit.
 * @throws DomainError `RATE_LIMITED`
 */
export async function countAttempt(em: EntityManager, subjects: readonly Subject[]): Promise<void> {
  const keys = subjects.map(keyOf);
  const count = rawSql<Counter>(countInto('demand', 'sign_in_counter', `${WINDOW_MINUTES} min`));
  const demand = sql`select subject, 1 as wanted from unnest(${keys}::text[]) as subject`;
  const rows = await turns.take(keys, () => read(em, sql`with demand as (${demand}) ${count}`));
  const found = new Map(rows.map(({ subject, used, reset }) => [subject, { used, resetSeconds: reset }]));
  const counts = subjects.map((subject): Count => ({ ...subject, ...found.get(keyOf(subject))! }));
  const wait = waitForAttempt(counts);
  if (wait === null) return;
  const minutes = Math.ceil(wait / 60);
  throw new DomainError('RATE_LIMITED', `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
    retryAfterSeconds: wait,
  });
}

/** Uncounts an attempt that was right or could not be decided. */
export async function refundAttempt(em: EntityManager, subjects: readonly Subject[]): Promise<void> {
  const keys = subjects.map(keyOf);
  await write(
    em,
    sql`update sign_in_counter c set used = greatest(0, c.used - 1)
      from (select subject from sign_in_counter where subject = any(${keys}) order by subject for update) mine
      where c.subject = mine.subject`,
  );
}

export function keyOf({ kind, name }: Subject): string {
  const isAddress = kind === 'address' || kind === 'mail-from';
  return `${kind}/${hashSecret(isAddress ? networkOf(name) : name)}`;
}
