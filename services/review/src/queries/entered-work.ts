import { columns } from '@payroll/store';
import { MilestoneTable, TimesheetTable } from '../store/tables.js';

const OF_TIMESHEET = columns(TimesheetTable, 'id', 'entries', 'submittedBy');

/** How timesheets were entered, which lists do not show. */
export const enteredTimesheets = {
  table: TimesheetTable,
  columns: OF_TIMESHEET,
  toNode: (row: (typeof OF_TIMESHEET)['row']) => row,
};

const OF_MILESTONE = columns(MilestoneTable, 'id', 'note');

/** The notes of workers on their milestones. */
export const notesOfMilestones = {
  table: MilestoneTable,
  columns: OF_MILESTONE,
  toNode: (row: (typeof OF_MILESTONE)['row']) => row,
};
