import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import * as accountTables from './account-tables.js';
import { Migration20261121084617 } from './migrations/Migration20261121084617.js';
import { Migration20261121114403 } from './migrations/Migration20261121114403.js';
import { Migration20261121115715 } from './migrations/Migration20261121115715.js';
import { Migration20261121123111 } from './migrations/Migration20261121123111.js';
import { Migration20261121182149_retention } from './migrations/Migration20261121182149_retention.js';
import { Migration20261121183549_traceparent } from './migrations/Migration20261121183549_traceparent.js';
import { Migration20261121210319_kept } from './migrations/Migration20261121210319_kept.js';
import { Migration20261122053805_access } from './migrations/Migration20261122053805_access.js';
import { Migration20261122054201_outbox_new } from './migrations/Migration20261122054201_outbox_new.js';
import { Migration20261122054609_proved } from './migrations/Migration20261122054609_proved.js';
import { Migration20261122190358_session_proof } from './migrations/Migration20261122190358_session_proof.js';
import { Migration20261122191312_dead_letters } from './migrations/Migration20261122191312_dead_letters.js';
import { Migration20261123150225_mail } from './migrations/Migration20261123150225_mail.js';
import { Migration20261124114041_first_key } from './migrations/Migration20261124114041_first_key.js';
import { Migration20261124115850_delivery } from './migrations/Migration20261124115850_delivery.js';
import * as oauthTables from './oauth-tables.js';
import * as tables from './tables.js';

export const workspacesSchema = defineSchema({
  name: 'workspaces',
  tables: [
    ...Object.values(tables),
    ...Object.values(accountTables),
    ...Object.values(oauthTables),
    ...writePathTables,
  ],
  migrations: [
    Migration20261121084617,
    Migration20261121114403,
    Migration20261121115715,
    Migration20261121123111,
    Migration20261121182149_retention,
    Migration20261121183549_traceparent,
    Migration20261121210319_kept,
    Migration20261122053805_access,
    Migration20261122054201_outbox_new,
    Migration20261122054609_proved,
    Migration20261122190358_session_proof,
    Migration20261122191312_dead_letters,
    Migration20261123150225_mail,
    Migration20261124114041_first_key,
    Migration20261124115850_delivery,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
