import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import * as accountTables from './account-tables.js';
import * as mailTables from './mail-tables.js';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { Migration20261127150000_worker_access } from './migrations/Migration20261127150000_worker_access.js';
import { Migration20261127154000_mail } from './migrations/Migration20261127154000_mail.js';
import { Migration20261127160000_second_factor } from './migrations/Migration20261127160000_second_factor.js';
import { Migration20261127160325_mail_choice } from './migrations/Migration20261127160325_mail_choice.js';
import { Migration20261127200518_second_factor_required } from './migrations/Migration20261127200518_second_factor_required.js';
import * as oauthTables from './oauth-tables.js';
import * as tables from './tables.js';

export const workspacesSchema = defineSchema({
  name: 'workspaces',
  tables: [
    ...Object.values(tables),
    ...Object.values(accountTables),
    ...Object.values(mailTables),
    ...Object.values(oauthTables),
    ...writePathTables,
  ],
  migrations: [
    Migration20261124000000_first,
    Migration20261127150000_worker_access,
    Migration20261127154000_mail,
    Migration20261127160000_second_factor,
    Migration20261127160325_mail_choice,
    Migration20261127200518_second_factor_required,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
