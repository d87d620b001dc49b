import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Actor,
  canonicalJson,
  DomainError,
  type DomainErrorOptions,
  type ErrorCode,
  type Instant,
  isDerivedId,
} from '@payroll/kernel';
import {
  computed,
  columns,
  GENERATION,
  inBatches,
  insertRow,
  OUTCOME_RETENTION_DAYS,
  Select,
  SKIP_LOCKED,
  type Sql,
  sql,
  type TableRow,
  rawSql,
} from '@payroll/store';
import { AppliedOperationTable } from '../tables.js';

type OperationRow = TableRow<typeof AppliedOperationTable>;

/** One intent of one caller, or an event. Sent twice, it is applied once: the second finds the outcome of the first. */
export interface Operation extends Pick<
  OperationRow,
  'workspaceId' | 'principalId' | 'operationId' | 'command' | 'fingerprint'
> {
  /** The outcome of an event is never read. */
  isEvent: boolean;
}

export type Outcome =
  | { kind: 'applied'; result: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details?: DomainErrorOptions['details'] };

export function operationOf(command: string, input: unknown, actor: Actor, operationId: string): Operation {
  const { workspaceId, principalId } = actor;
  // A derived id identifies the request as sent, so the input is not compared: it also depends on this release's defaults
  // and names, and a retry after an upgrade must not count as another request.
  const fingerprint = isDerivedId(operationId) ? '' : hash('sha256', canonicalJson(input), 'base64url');
  return { workspaceId, principalId, operationId, command, fingerprint, isEvent: false };
}

/** `command` is the event type, so that renaming the command in a later release does not make the event a new operation. */
export function operationOfEvent({ type, id }: { type: string; id: string }, actor: Actor): Operation {
  const { workspaceId, principalId } = actor;
  return { workspaceId, principalId, operationId: id, command: type, fingerprint: '', isEvent: true };
}

const ofKept = columns(AppliedOperationTable, 'command', 'fingerprint', 'outcome');

/**
 * The database generation and the operation's earlier outcome. The change clock's lock keeps other transactions from
 * deciding it.
 */
export function findEarlier({ workspaceId, principalId, operationId }: Operation) {
  return Select.from(sql`select ${computed('generation', 'text', GENERATION)},
      ${computed('isKnown', 'boolean', sql`applied_operation.operation_id is not null`)},
      ${computed('isExpired', 'boolean', sql`outcome is null or applied_at <= clock_timestamp() - ${RETENTION}`)}, ${ofKept}
    from (values (1)) as one left join applied_operation on workspace_id = ${workspaceId}
      and principal_id = ${principalId} and operation_id = ${operationId}`);
}

const RETENTION = rawSql(`interval '${OUTCOME_RETENTION_DAYS} days'`);

type Kept = Pick<OperationRow, 'command' | 'fingerprint' | 'outcome'> & { isExpired: boolean };

/** Runs in the operation's own transaction. */
export function insertOperation(operation: Operation, outcome: Outcome, appliedAt: Instant): Sql {
  const { isEvent, ...id } = operation;
  return insertRow(AppliedOperationTable, { ...id, outcome: isEvent ? null : outcome, appliedAt });
}

/**
 * Records a refusal before it is answered, so that a late copy of the operation cannot be applied. A separate statement
 * without the clock: the primary key decides between it and a copy. Returns the outcome that was stored first.
 */
export function recordRefusal(operation: Operation, { code, message, details }: DomainError) {
  const { workspaceId, principalId, operationId, command, fingerprint } = operation;
  const refused: Outcome = { kind: 'refused', code, message, details };
  // This update leaves the row as it is. Without it the statement would not see a row that a copy has just committed.
  return sql`insert into applied_operation
      (workspace_id, principal_id, operation_id, command, fingerprint, outcome, applied_at)
    values (${workspaceId}, ${principalId}, ${operationId}, ${command}, ${fingerprint}, ${JSON.stringify(refused)},
      clock_timestamp())
    on conflict (workspace_id, principal_id, operation_id) do update set outcome = applied_operation.outcome
    returning ${ofKept}, ${computed('isExpired', 'boolean', sql`false`)}`;
}

/** @throws DomainError when the operation was another one, or its outcome is no longer kept (public-api.md §8). */
export function outcomeOf({ command, fingerprint }: Operation, kept: Kept): Outcome {
  if (kept.command !== command || kept.fingerprint !== fingerprint) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This operation id was used for something else. Use a new one.');
  }
  if (kept.isExpired) {
    throw new DomainError('OPERATION_EXPIRED', 'The result of this operation is no longer kept. Look at the resource.');
  }
  return kept.outcome as Outcome;
}

/** The result, or the refusal thrown again. */
export function replay(outcome: Outcome): unknown {
  if (outcome.kind === 'applied') return outcome.result;
  const { code, message, details } = outcome;
  throw new DomainError(code, message, { details });
}

/**
 * A unique index refused a row that another transaction has committed since this one looked: a copy's refusal, or the same
 * bank transfer of another workspace. Decided again, the command finds it.
 */
export function isDecidedMeanwhile(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505';
}

/** Deletes outcomes that a retry can no longer request (public-api.md §8); operation ids are never deleted. */
export async function clearExpiredOutcomes(em: EntityManager, days: number): Promise<number> {
  return await inBatches(
    em,
    (limit) => sql`
      update applied_operation set outcome = null where (workspace_id, principal_id, operation_id) in (
        select workspace_id, principal_id, operation_id from applied_operation
        where outcome is not null and applied_at < now() - make_interval(days => ${days}) ${limit} ${SKIP_LOCKED})`,
  );
}
