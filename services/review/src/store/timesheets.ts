import { columnsExcept, defineView } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { TimesheetTable } from './tables.js';

const columns = columnsExcept(
  TimesheetTable,
  ...(['workspaceId', 'entries', 'submittedBy', 'daysAhead', 'approveAt', 'paymentSequence'] as const),
);

export type Timesheet = ReturnType<typeof toTimesheet>;

export function toTimesheet(row: (typeof columns)['row']) {
  const { id, revision, currency, rate, total } = row;
  const version = versionOf(id, revision);
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency }, version };
}

export const timesheets = defineView({
  list: 'timesheets',
  table: TimesheetTable,
  columns,
  toNode: toTimesheet,
});
