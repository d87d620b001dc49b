import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { ContractTable, WorkerTable } from './tables.js';

export const contractsSchema = defineSchema({
  name: 'contracts',
  tables: [ContractTable, WorkerTable, ...writePathTables],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type ContractsRows = Rows<typeof contractsSchema>;
