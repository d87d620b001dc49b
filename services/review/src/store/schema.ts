import { CalendarTable, DeferredWorkTable } from '@payroll/service';
import { writePathTables } from '@payroll/commands';
import type { Schema } from '@payroll/store';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { Migration20261127153000_own_work } from './migrations/Migration20261127153000_own_work.js';
import { ContractTermsTable, MilestoneTable, TimesheetDraftTable, TimesheetTable } from './tables.js';

export const reviewSchema: Schema = {
  name: 'review',
  tables: [
    ContractTermsTable,
    TimesheetTable,
    TimesheetDraftTable,
    MilestoneTable,
    CalendarTable,
    DeferredWorkTable,
    ...writePathTables,
  ],
  migrations: [Migration20261124000000_first, Migration20261127153000_own_work],
  migrationsDir: `${import.meta.dirname}/migrations`,
};
