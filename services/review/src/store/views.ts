import { columns, columnsExcept, defineView, sql, type TableRow } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { MilestoneTable, TimesheetTable } from './tables.js';

const OF_TIMESHEET = columnsExcept(
  TimesheetTable,
  ...(['workspaceId', 'entries', 'submittedBy', 'daysAhead', 'approveAt', 'paymentSequence'] as const),
);

export type Timesheet = ReturnType<typeof toTimesheet>;

export function toTimesheet(row: (typeof OF_TIMESHEET)['row']) {
  const { id, revision, currency, rate, total } = row;
  const version = versionOf(id, revision);
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency }, version };
}

export const timesheets = defineView({
  list: 'timesheets',
  table: TimesheetTable,
  columns: OF_TIMESHEET,
  toNode: toTimesheet,
});

type Covering = Pick<TableRow<typeof TimesheetTable>, 'id' | 'contractId' | 'periodStart' | 'periodEnd' | 'entries'>;

/**
 * Other work of a contract that covers a day of this work, except work that is not paid: rejected, or with a cancelled
 * payment. Work covers the days that were entered, so that a forgotten one between them can follow; else its whole period.
 */
export function overlapping(workspaceId: string, { id, contractId, periodStart, periodEnd, entries }: Covering) {
  const days = sql`${entries?.map(({ day }) => day) ?? null}::text[]`;
  return sql`select ${columns(TimesheetTable, 'id')} from timesheet
    where workspace_id = ${workspaceId} and contract_id = ${contractId} and id <> ${id}
      and period_start <= ${periodEnd} and period_end >= ${periodStart}
      and (entries is null or ${days} is null
        or exists (select from jsonb_array_elements(entries) entry where entry ->> 'day' = any (${days})))
      and status <> 'rejected' and payment_status is distinct from 'cancelled' limit 1`;
}

const AS_ENTERED = columns(TimesheetTable, 'id', 'entries', 'submittedBy');

/** How timesheets were entered, which lists do not show. */
export const enteredTimesheets = {
  table: TimesheetTable,
  columns: AS_ENTERED,
  toNode: (row: (typeof AS_ENTERED)['row']) => row,
};

const OF_MILESTONE = columnsExcept(MilestoneTable, 'workspaceId', 'note', 'draftRevision', 'paymentSequence');

export type Milestone = ReturnType<typeof toMilestone>;

export function toMilestone(row: (typeof OF_MILESTONE)['row']) {
  const { id, revision, currency, amount } = row;
  return { ...row, amount: { amount, currency }, version: versionOf(id, revision) };
}

export const milestones = defineView({
  list: 'milestones',
  table: MilestoneTable,
  columns: OF_MILESTONE,
  toNode: toMilestone,
});

const NOTES = columns(MilestoneTable, 'id', 'note');

/** The notes of workers on their milestones. */
export const notesOfMilestones = {
  table: MilestoneTable,
  columns: NOTES,
  toNode: (row: (typeof NOTES)['row']) => row,
};
