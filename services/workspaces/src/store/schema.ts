import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { ApiKeyTable, BusinessTable, InternalTokenTable, MembershipTable, RateCounterTable } from './tables.js';

export const workspacesSchema = defineSchema({
  name: 'workspaces',
  tables: [BusinessTable, MembershipTable, ApiKeyTable, InternalTokenTable, RateCounterTable, ...writePathTables],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type WorkspacesRows = Rows<typeof workspacesSchema>;
