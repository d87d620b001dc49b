import { p, Type } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Instant, toInstant } from '@payroll/kernel';
import { sql, type Sql, write } from '../sql/sql.js';

class InstantType extends Type<Instant, string> {
  override getColumnType(): string {
    return 'timestamptz(6)';
  }

  override convertToJSValue(value: string): Instant {
    return toInstant(value);
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** A moment with microseconds; a string on both sides (see `Instant`). */
export const instant = () => p.type(InstantType);

/** An exact decimal of any size; a string on both sides. */
export const exactNumber = () => p.decimal('string').columnType('numeric');

/** public-api.md §8: results are kept for 7 days. */
export const OUTCOME_RETENTION_DAYS = 7;

/** How long other services may request the newest event about a subject. */
export const MIN_EVENT_RETENTION_DAYS = 8;

interface RetentionRule {
  name: string;
  /** The changes that are refused to rows for which `when` is true: SQL about `old` and, in an update, `new`. */
  on: 'delete' | 'update';
  when: string;
  /** Shown in the error: why the row is still needed. */
  because: string;
}

/**
 * A trigger that keeps every role from deleting or changing a row that is still needed. It runs after the change and takes
 * no locks.
 */
export function retentionTrigger({ name, on, when, because }: RetentionRule) {
  const body = `raise exception '%.% keeps this row: ${because}', tg_table_schema, tg_table_name using errcode = 'restrict_violation';`;
  return { name, timing: 'after' as const, events: [on], when, body };
}

/** Small enough that no other transaction waits long for a row. */
const BATCH = 1_000;

/**
 * Repeats a statement until no rows are left. Several processes may run it at once: each skips rows that another has locked.
 */
export async function inBatches(em: EntityManager, statement: (limit: Sql) => Sql): Promise<number> {
  let all = 0;
  for (let changed = BATCH; changed === BATCH;) {
    changed = await write(em, statement(sql`limit ${BATCH}`));
    all += changed;
  }
  return all;
}

/** Locking needs the right to update, which a service has not on everything that it may delete from. */
export const SKIP_LOCKED = sql`for update skip locked`;
