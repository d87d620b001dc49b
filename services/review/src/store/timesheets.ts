import { columnsBut, defineView, type TableRow } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { TimesheetTable } from './tables.js';

type Row = Omit<TableRow<typeof TimesheetTable>, 'workspaceId' | 'approveAt' | 'paymentSequence'>;

export type Timesheet = ReturnType<typeof toTimesheet>;

export function toTimesheet(row: Row) {
  const { id, revision, currency, rate, total } = row;
  const version = versionOf(id, revision);
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency }, version };
}

export const timesheets = defineView({
  list: 'timesheets',
  table: TimesheetTable,
  columns: columnsBut(TimesheetTable, 'workspaceId', 'approveAt', 'paymentSequence'),
  toNode: toTimesheet,
});
