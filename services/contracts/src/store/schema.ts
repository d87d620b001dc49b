import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import { Migration20261121084609 } from './migrations/Migration20261121084609.js';
import { Migration20261121182201_retention } from './migrations/Migration20261121182201_retention.js';
import { Migration20261121183527_traceparent } from './migrations/Migration20261121183527_traceparent.js';
import { Migration20261121210320_kept } from './migrations/Migration20261121210320_kept.js';
import { Migration20261122052919_return_reason } from './migrations/Migration20261122052919_return_reason.js';
import { Migration20261122054202_outbox_new } from './migrations/Migration20261122054202_outbox_new.js';
import { Migration20261122191304_dead_letters } from './migrations/Migration20261122191304_dead_letters.js';
import { Migration20261122223324_agreement } from './migrations/Migration20261122223324_agreement.js';
import { Migration20261124115855_delivery } from './migrations/Migration20261124115855_delivery.js';
import { AgreementTable, ContractTable, WorkerTable } from './tables.js';

export const contractsSchema = defineSchema({
  name: 'contracts',
  tables: [AgreementTable, ContractTable, WorkerTable, ...writePathTables],
  migrations: [
    Migration20261121084609,
    Migration20261121182201_retention,
    Migration20261121183527_traceparent,
    Migration20261121210320_kept,
    Migration20261122052919_return_reason,
    Migration20261122054202_outbox_new,
    Migration20261122191304_dead_letters,
    Migration20261122223324_agreement,
    Migration20261124115855_delivery,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
