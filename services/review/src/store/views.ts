import { columns, columnsExcept, defineView } from '@payroll/store';
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
