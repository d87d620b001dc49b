import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Timesheet } from '../domain/timesheet.js';
import { TIMESHEET_COLUMNS, toTimesheet, type TimesheetRow } from '../store/to-timesheet.js';

export function timesheetsById(em: EntityManager): Fetch<Timesheet> {
  return async (keys) => {
    const rows = await readByKeys<TimesheetRow>(em, 'timesheet', TIMESHEET_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toTimesheet(row)]));
  };
}
