import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from './tables.js';

export const reviewSchema = defineSchema({
  name: 'review',
  tables: [ContractTermsTable, TimesheetTable, MilestoneTable, ...writePathTables],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type ReviewRows = Rows<typeof reviewSchema>;
