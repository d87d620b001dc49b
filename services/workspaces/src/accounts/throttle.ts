import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, unavailable } from '@payroll/kernel';
import { hashSecret } from '@payroll/pages';
import { read, sql, verbatim, write } from '@payroll/store';
import { countInto, networkOf } from '../admission/rate-counters.js';
import { type Count, type Subject, waitForAttempt, WINDOW_MINUTES } from '../domain/account.js';
import type { Counter } from '../domain/standing.js';

/** Runs so many at the same time; so many more wait, in the order in which they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws DomainError `SERVICE_UNAVAILABLE` when too many wait already. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < this.atOnce) this.running += 1;
    else if (this.waiting.length < this.maxWaiting) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else throw unavailable('Sign-in');
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Whoever is next takes over the place: nobody who comes now slips in between.
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** A flood waits here, not in Postgres: attempts wait for one row, and each would hold a connection that admission needs. */
const turns = new Turns(2, 1_000);

/** Counts an attempt before it is decided, so that none slip through together. @throws DomainError `RATE_LIMITED` */
export async function beginAttempt(em: EntityManager, subjects: readonly Subject[]): Promise<void> {
  const keys = subjects.map(keyOf);
  const count = verbatim<Counter>(countInto('demand', 'sign_in_counter', `${WINDOW_MINUTES} min`));
  const demand = sql`select subject, 1 as wanted from unnest(${keys}::text[]) as subject`;
  const rows = await turns.take(() => read(em, sql`with demand as (${demand}) ${count}`));
  const found = new Map(rows.map(({ subject, used, reset }) => [subject, { used, resetSeconds: reset }]));
  const counts = subjects.map((subject): Count => ({ ...subject, ...found.get(keyOf(subject))! }));
  const wait = waitForAttempt(counts);
  if (wait === null) return;
  const minutes = Math.ceil(wait / 60);
  throw new DomainError('RATE_LIMITED', `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
    retryAfterSeconds: wait,
  });
}

/** The attempt was right, or could not be decided: it counts for nothing. */
export async function forgiveAttempt(em: EntityManager, subjects: readonly Subject[]): Promise<void> {
  const keys = subjects.map(keyOf);
  await write(
    em,
    sql`update sign_in_counter c set used = greatest(0, c.used - 1)
      from (select subject from sign_in_counter where subject = any(${keys}) order by subject for update) mine
      where c.subject = mine.subject`,
  );
}

function keyOf({ kind, name }: Subject): string {
  const isAddress = kind === 'address' || kind === 'mail-from';
  return `${kind}/${hashSecret(isAddress ? networkOf(name) : name)}`;
}
