import { defineSchema, type Rows } from '@payroll/store';
import { IdempotencyClaimTable } from './tables.js';

export const facadeSchema = defineSchema({
  name: 'rest_facade',
  tables: [IdempotencyClaimTable],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type FacadeRows = Rows<typeof facadeSchema>;
