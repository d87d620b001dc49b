import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { Migration20261121084617 } from './migrations/Migration20261121084617.js';
import { ApiKeyTable, BusinessTable, InternalTokenTable, MembershipTable, RateCounterTable } from './tables.js';

export const workspacesSchema = defineSchema({
  name: 'workspaces',
  tables: [BusinessTable, MembershipTable, ApiKeyTable, InternalTokenTable, RateCounterTable, ...writePathTables],
  migrations: [Migration20261121084617],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type WorkspacesRows = Rows<typeof workspacesSchema>;
