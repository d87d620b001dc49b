import { defineSchema, type Rows } from '@payroll/store';
import { Migration20261121084051_idempotency_claim } from './migrations/Migration20261121084051_idempotency_claim.js';
import { Migration20261121210324_kept } from './migrations/Migration20261121210324_kept.js';
import { IdempotencyClaimTable } from './tables.js';

export const facadeSchema = defineSchema({
  name: 'rest_facade',
  tables: [IdempotencyClaimTable],
  migrations: [Migration20261121084051_idempotency_claim, Migration20261121210324_kept],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type FacadeRows = Rows<typeof facadeSchema>;
