import { defineSchema, writePathTables } from '@payroll/store';
import { Migration20261121084612 } from './migrations/Migration20261121084612.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from './tables.js';

export const reviewSchema = defineSchema({
  name: 'review',
  tables: [ContractTermsTable, TimesheetTable, MilestoneTable, ...writePathTables],
  migrations: [Migration20261121084612],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
