import { DomainError, type DomainErrorOptions, type ErrorCode, type Instant, toInstant } from '@payroll/kernel';
import type { Applied } from './command.js';
import type { HeardEvent } from './domain-event.js';
import { HISTORY } from '../database/history.js';
import { OUTCOME_DAYS } from '../database/retention.js';
import { insertRow } from '../sql/rows.js';
import { as, columns, sql, type TableRow, verbatim } from '../sql/sql.js';
import { AppliedOperationTable } from '../database/tables.js';
import type { Transaction } from '../sql/transaction.js';

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

type Kept = Pick<TableRow<typeof AppliedOperationTable>, 'command' | 'fingerprint' | 'outcome'> & {
  isExpired: boolean;
};

const ofKept = columns(AppliedOperationTable, 'command', 'fingerprint', 'outcome');

/** Whenever retention comes to empty it: an outcome is told for 7 days by the database's clock, and never again. */
const IS_EXPIRED = sql`(outcome is null or applied_at <= clock_timestamp() - ${verbatim(`interval '${OUTCOME_DAYS} days'`)})`;

/** What the operation came to before. Asked under the change clock: nobody else can be deciding it. */
export async function findOutcome(transaction: Transaction, operation: Operation): Promise<Outcome | null> {
  const { workspaceId, principalId, operationId } = operation;
  const [kept] = await transaction.read(sql`select ${ofKept}, ${as('isExpired', 'boolean', IS_EXPIRED)}
    from applied_operation
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
 * Notes that the events are being applied in this transaction, unless they were before or are of another history.
 * Rows are written in the order of their ids, as all processes do it.
 */
export async function enterInbox(
  transaction: Transaction,
  workspaceId: string,
  events: readonly HeardEvent[],
): Promise<Applied[]> {
  const heard = sql`unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
    ${events.map(({ history }) => history)}::text[]) with ordinality as heard (event_id, type, history, place)`;
  const entries = await transaction.read(sql`
    with here as (select ${HISTORY} as history),
    entered as (
      insert into inbox_event (event_id, workspace_id, type, applied_at)
      select event_id, ${workspaceId}::uuid, type, clock_timestamp() from ${heard} join here using (history)
      order by event_id on conflict do nothing returning event_id)
    select ${as('isHere', 'boolean', sql`heard.history = here.history`)},
      ${as(
        'isFirst',
        'boolean',
        // It may be there twice, also once of each history.
        sql`event_id in (select event_id from entered)
          and place = min(place) filter (where heard.history = here.history) over (partition by event_id)`,
      )}
    from ${heard}, here order by place`);
  return entries.map(({ isHere, isFirst }) => {
    if (!isHere) return 'elsewhere';
    return isFirst ? 'applied' : 'replayed';
  });
}
