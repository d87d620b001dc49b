import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '@payroll/gateway';
import { canonicalJson, derivedId, DomainError } from '@payroll/kernel';
import { mapDatabaseError, columns, read, sql, write } from '@payroll/store';
import { metrics, withSpan } from '@payroll/runtime';
import { IdempotencyKeyTable } from './store/schema.js';

/** A write and its idempotency key. */
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

  /** Does nothing if the key belongs to another request by now. */
  async free({ principalId, key, fingerprint }: KeyedRequest): Promise<void> {
    const remove = sql`delete from idempotency_key
      where principal_id = ${principalId} and key = ${key} and fingerprint = ${fingerprint}`;
    await write(this.em, remove).catch(refused);
  }
}

function refused(error: unknown): never {
  throw mapDatabaseError(error);
}

/** Callbacks by which a service reports what became of an operation. */
export type RunNotes = Pick<Caller, 'onReplay' | 'onRefusalRecorded'>;

type Operation = (operationId: string, notes: RunNotes) => Promise<string>;

type RunOnce = (request: KeyedRequest, operation: Operation) => Promise<{ body: string; replayed: boolean }>;

/** How long a request waits for another one of this process with its key. */
const WAIT_MS = 4_000;

/**
 * A retry is the same operation, as its id follows from the request, and services apply an operation once. The row here
 * only keeps a key from being used for two requests.
 */
export function createRunOnce(keys: IdempotencyKeys): RunOnce {
  const underWay = new Map<string, Promise<string>>();
  /** @throws DomainError `IDEMPOTENCY_KEY_REUSED`, `OPERATION_IN_PROGRESS`, or what the operation threw. */
  return async function runOnce(request, operation) {
    const found = await withSpan('register the idempotency key', {}, () => keys.register(request));
    metrics.idempotentWrites.add({ found });
    if (found === 'reused') throw new DomainError('IDEMPOTENCY_KEY_REUSED', REUSED);
    const { principalId, key, fingerprint } = request;
    const name = `${principalId} ${key}`;
    const first = underWay.get(name);
    const ended = first && (await Promise.race([Promise.allSettled([first]), pause(WAIT_MS, null, { ref: false })]));
    if (ended === null) throw new DomainError('OPERATION_IN_PROGRESS', IN_PROGRESS, { retryAfterSeconds: 1 });
    let [replayed, isRecorded] = [false, false];
    const notes = { onReplay: () => void (replayed = true), onRefusalRecorded: () => void (isRecorded = true) };
    const answering = operation(derivedId(principalId, key, fingerprint), notes);
    underWay.set(name, answering);
    try {
      return { body: await answering, replayed };
    } catch (error) {
      // Only after a recorded refusal: after any other error, a copy of the request may have been applied or still be running.
      if (isRecorded) await withSpan('free the idempotency key', {}, () => keys.free(request));
      throw error;
    } finally {
      if (underWay.get(name) === answering) underWay.delete(name);
    }
  };
}

const REUSED = 'This Idempotency-Key was used for another request. Use a new one.';
const IN_PROGRESS = 'The first request with this key is still under way. Retry shortly.';

/**
 * Two requests are the same if these are equal: method, full path with its ids, and the body as sent, before defaults, with
 * numbers by their digits.
 */
export function fingerprintOf(method: string, path: string, body: unknown): string {
  return hash('sha256', canonicalJson([method, path, body]), 'base64url');
}
