import { CalendarTable, DeferredWorkTable } from '@payroll/service';
import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from './tables.js';

export const reviewSchema = defineSchema({
  name: 'review',
  tables: [ContractTermsTable, TimesheetTable, MilestoneTable, CalendarTable, DeferredWorkTable, ...writePathTables],
  migrations: [Migration20261124000000_first],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
