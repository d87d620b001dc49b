import type { EntityManager } from '@mikro-orm/postgresql';
import { part } from '@payroll/store';
import type { Fetch } from '@payroll/subgraph';
import type { Timesheet } from '../domain/timesheet.js';
import { TIMESHEET_COLUMNS, toTimesheet } from '../store/to-timesheet.js';
import { newestOfContracts } from './newest-of-contracts.js';

export function timesheetsOfContracts(em: EntityManager): Fetch<Timesheet[]> {
  return newestOfContracts(em, { table: part`timesheet`, columns: TIMESHEET_COLUMNS, toWork: toTimesheet });
}
