import type { EntityManager } from '@mikro-orm/postgresql';
import { asDomainError, columns, read, sql, write } from '@payroll/store';
import { IdempotencyKeyTable } from './store/schema.js';

/** A write as its key knows it. */
export type KeyedRequest = Record<'principalId' | 'key' | 'fingerprint', string>;

/** Which request each key is for. @throws DomainError (every method) `SERVICE_UNAVAILABLE` when Postgres is. */
export class IdempotencyKeys {
  constructor(private readonly em: EntityManager) {}

  async register({ principalId, key, fingerprint }: KeyedRequest): Promise<'new' | 'known' | 'reused'> {
    const insert = sql`insert into idempotency_key (principal_id, key, fingerprint)
      values (${principalId}, ${key}, ${fingerprint}) on conflict do nothing`;
    // A statement of its own: the snapshot of the insert may be older than the row that it waited for.
    const find = sql`select ${columns(IdempotencyKeyTable, 'fingerprint')} from idempotency_key
      where principal_id = ${principalId} and key = ${key}`;
    for (;;) {
      if ((await write(this.em, insert).catch(refused)) === 1) return 'new';
      const [row] = await read(this.em, find).catch(refused);
      // Without a row, the key was freed after the insert.
      if (row) return row.fingerprint === fingerprint ? 'known' : 'reused';
    }
  }

  /** Nothing where the key is for another request by now. */
  async free({ principalId, key, fingerprint }: KeyedRequest): Promise<void> {
    const remove = sql`delete from idempotency_key
      where principal_id = ${principalId} and key = ${key} and fingerprint = ${fingerprint}`;
    await write(this.em, remove).catch(refused);
  }
}

function refused(error: unknown): never {
  throw asDomainError(error);
}
