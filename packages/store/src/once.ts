import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, type DomainErrorOptions, type ErrorCode, type Instant, toInstant } from '@payroll/kernel';
import { sql } from 'kysely';
import type { HeardEvent } from './command.js';
import { HISTORY } from './history.js';

/** One intent of one caller. Sent twice, it is applied once: the second finds the first's outcome. */
export interface Operation {
  workspaceId: string;
  principalId: string;
  operationId: string;
  command: string;
  /** Digest of the command's input: an operation id does not serve for two different things. */
  fingerprint: string;
}

export type Outcome =
  | { kind: 'applied'; result: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details?: DomainErrorOptions['details'] };

/** Takes the row of the operation, or returns its earlier outcome. Waits for a transaction that is deciding it now. */
export async function claimOperation(
  em: EntityManager,
  operation: Operation,
  now: Instant,
  outcome: Outcome | null = null,
): Promise<Outcome | null> {
  const { workspaceId, principalId, operationId, command, fingerprint } = operation;
  const kept = outcome && JSON.stringify(outcome);
  const inserted = await sql`
    insert into applied_operation (workspace_id, principal_id, operation_id, command, fingerprint, outcome, applied_at)
    values (${workspaceId}, ${principalId}, ${operationId}, ${command}, ${fingerprint}, ${kept}::jsonb, ${now})
    on conflict do nothing`.execute(em.getKysely());
  if (inserted.numAffectedRows === 1n) return null;

  const { rows } = await sql<{ command: string; fingerprint: string; outcome: Outcome | null }>`
    select command, fingerprint, outcome from applied_operation
    where workspace_id = ${workspaceId} and principal_id = ${principalId} and operation_id = ${operationId}`.execute(
    em.getKysely(),
  );
  const earlier = rows[0]!;
  if (earlier.command !== command || earlier.fingerprint !== fingerprint) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This operation id was used for something else. Use a new one.');
  }
  if (earlier.outcome === null) {
    throw new DomainError('OPERATION_EXPIRED', 'The result of this operation is no longer kept. Look at the resource.');
  }
  return earlier.outcome;
}

export async function keepOutcome(em: EntityManager, operation: Operation, outcome: Outcome): Promise<void> {
  const { workspaceId, principalId, operationId } = operation;
  await sql`
    update applied_operation set outcome = ${JSON.stringify(outcome)}::jsonb
    where workspace_id = ${workspaceId} and principal_id = ${principalId} and operation_id = ${operationId}`.execute(
    em.getKysely(),
  );
}

/** The result, or the refusal thrown again. */
export function replay(outcome: Outcome): unknown {
  if (outcome.kind === 'applied') return outcome.result;
  const { code, message, details } = outcome;
  throw new DomainError(code, message, { details });
}

/** Locked until commit, first in every command: writes commit in the order of their times, so pollers miss nothing. */
export async function moveChangeClock(em: EntityManager, workspaceId: string): Promise<Instant> {
  const { rows } = await sql<{ last: string }>`
    insert into change_clock (workspace_id, last) values (${workspaceId}, clock_timestamp())
    on conflict (workspace_id) do update
      set last = greatest(clock_timestamp(), change_clock.last + interval '1 microsecond')
    returning last`.execute(em.getKysely());
  return toInstant(rows[0]!.last);
}

/** `elsewhere`: the event was held in another history of the database than this transaction is in. */
export type Entry = 'first' | 'again' | 'elsewhere';

/** Notes that the event is being applied in this transaction, unless it was applied before or is of another history. */
export async function enterInbox(em: EntityManager, event: HeardEvent, now: Instant): Promise<Entry> {
  const { rows } = await sql<{ isHere: boolean; isFirst: boolean }>`
    with history as (select ${HISTORY} = ${event.history} as "isHere"),
    entered as (
      insert into inbox_event (event_id, workspace_id, type, applied_at)
      select ${event.id}::uuid, ${event.workspaceId}::uuid, ${event.type}, ${now}::timestamptz from history where "isHere"
      on conflict do nothing returning event_id
    )
    select "isHere", exists (select from entered) as "isFirst" from history`.execute(em.getKysely());
  const { isHere, isFirst } = rows[0]!;
  if (!isHere) return 'elsewhere';
  return isFirst ? 'first' : 'again';
}
