import type { EntityManager } from '@mikro-orm/postgresql';
import { type BatchFetch, keyOf, keysOf } from '@payroll/service';
import { columns, read, sql } from '@payroll/store';
import { MilestoneTable, TimesheetTable } from '../store/tables.js';

const OF_TIMESHEET = columns(TimesheetTable, 'workspaceId', 'id', 'entries', 'submittedBy');

/** How timesheets were entered, which lists do not show. */
export function enteredTimesheets(em: EntityManager): BatchFetch<(typeof OF_TIMESHEET)['row']> {
  return async (keys) => {
    const which = sql`(workspace_id, id) in (select * from ${keysOf(keys)})`;
    const rows = await read(em, sql`select ${OF_TIMESHEET} from timesheet where ${which}`);
    return new Map(rows.map((row) => [keyOf(row), row]));
  };
}

const OF_MILESTONE = columns(MilestoneTable, 'workspaceId', 'id', 'note');

/** The notes of workers on their milestones. */
export function notesOfMilestones(em: EntityManager): BatchFetch<(typeof OF_MILESTONE)['row']> {
  return async (keys) => {
    const which = sql`(workspace_id, id) in (select * from ${keysOf(keys)})`;
    const rows = await read(em, sql`select ${OF_MILESTONE} from milestone where ${which}`);
    return new Map(rows.map((row) => [keyOf(row), row]));
  };
}
