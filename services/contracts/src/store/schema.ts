import { writePathTables } from '@payroll/commands';
import type { Schema } from '@payroll/store';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { Migration20261127150000_worker_signature } from './migrations/Migration20261127150000_worker_signature.js';
import { AgreementTable, BusinessTable, ContractTable, WorkerTable } from './tables.js';

export const contractsSchema: Schema = {
  name: 'contracts',
  tables: [AgreementTable, BusinessTable, ContractTable, WorkerTable, ...writePathTables],
  migrations: [Migration20261124000000_first, Migration20261127150000_worker_signature],
  migrationsDir: `${import.meta.dirname}/migrations`,
};
