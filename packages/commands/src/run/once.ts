import {
  DomainError,
  type DomainErrorOptions,
  type ErrorCode,
  type Instant,
  type Origin,
  toInstant,
  unavailable,
} from '@payroll/kernel';
import { as, columns, HISTORY, insertRow, sql, type TableRow } from '@payroll/store';
import { AppliedOperationTable } from './tables.js';
import type { Transaction } from './transaction.js';

/** One intent of one caller. Sent twice, it is applied once: the second finds the first's outcome. */
export type Operation = Pick<
  TableRow<typeof AppliedOperationTable>,
  'workspaceId' | 'principalId' | 'operationId' | 'command' | 'fingerprint'
>;

export type Outcome =
  | { kind: 'applied'; result: unknown }
  | { kind: 'refused'; code: ErrorCode; message: string; details?: DomainErrorOptions['details'] };

/**
 * Takes the workspace's change clock until the transaction ends: first in every command, so that writes commit in the order of
 * their times and pollers miss nothing. Resolves to as many times, a microsecond apart.
 */
export async function moveChangeClock(transaction: Transaction, workspaceId: string, count = 1): Promise<Instant[]> {
  const [clock] = await transaction.read(sql`
    insert into change_clock as clock (workspace_id, last)
    values (${workspaceId}, clock_timestamp() + ${count - 1}::int * interval '1 us')
    on conflict (workspace_id) do update
      set last = greatest(clock_timestamp(), clock.last + interval '1 us') + ${count - 1}::int * interval '1 us'
    returning ${as(
      'times',
      'text[]',
      sql`array(
      select clock.last - ago * interval '1 us' from generate_series(${count - 1}::int, 0, -1) as ago)`,
    )}`);
  return clock!.times.map(toInstant);
}

/**
 * Why an operation that was noted in another history of the database is not decided in this one, where its retry could not
 * find what it came to: the retry notes it here. Null for all others.
 */
export function whyElsewhere(here: string | undefined, { history }: Origin): DomainError | null {
  return history === undefined || history === here ? null : unavailable('The database that knew this operation');
}

/** Of the database that this transaction is in; asked only where somebody wants to know. */
export async function historyFor(
  transaction: Transaction,
  asked: readonly { origin: Origin }[],
): Promise<string | undefined> {
  if (asked.every(({ origin }) => origin.history === undefined)) return undefined;
  const [row] = await transaction.read(sql`select ${as('history', 'text', HISTORY)}`);
  return row!.history;
}

type Kept = Pick<TableRow<typeof AppliedOperationTable>, 'command' | 'fingerprint' | 'outcome'>;

const ofKept = columns(AppliedOperationTable, 'command', 'fingerprint', 'outcome');

/** What the operation came to before. Asked under the change clock: nobody else can be deciding it. */
export async function findOutcome(transaction: Transaction, operation: Operation): Promise<Outcome | null> {
  const { workspaceId, principalId, operationId } = operation;
  const [kept] = await transaction.read(sql`select ${ofKept} from applied_operation
    where workspace_id = ${workspaceId} and principal_id = ${principalId} and operation_id = ${operationId}`);
  return kept ? outcomeOf(operation, kept) : null;
}

/** In the transaction that it is the outcome of. */
export function keepOutcome(
  transaction: Transaction,
  operation: Operation,
  outcome: Outcome,
  appliedAt: Instant,
): void {
  transaction.write(insertRow(AppliedOperationTable, { ...operation, outcome, appliedAt }));
}

/**
 * Takes back what the transaction has written and records the refusal, in one write, before it is answered: a late copy of
 * the operation cannot be applied. When a copy was decided in between, its outcome counts and is returned.
 */
export async function insteadRefuse(
  transaction: Transaction,
  operation: Operation,
  refused: Outcome,
  appliedAt: Instant,
): Promise<Outcome> {
  transaction.rollback();
  transaction.begin();
  const [, recorded, outcome] = await Promise.all([
    moveChangeClock(transaction, operation.workspaceId),
    transaction.read(sql`${insertRow(AppliedOperationTable, { ...operation, outcome: refused, appliedAt })}
      on conflict do nothing returning ${columns(AppliedOperationTable, 'operationId')}`),
    findOutcome(transaction, operation),
    transaction.commit(),
  ]);
  return recorded.length > 0 ? refused : outcome!;
}

/** @throws DomainError when the operation was another one, or its outcome is no longer kept. */
function outcomeOf({ command, fingerprint }: Operation, kept: Kept): Outcome {
  if (kept.command !== command || kept.fingerprint !== fingerprint) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This operation id was used for something else. Use a new one.');
  }
  if (kept.outcome === null) {
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
