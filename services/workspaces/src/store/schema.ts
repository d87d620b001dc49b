import { writePathTables } from '@payroll/commands';
import type { Schema } from '@payroll/store';
import * as accountTables from './account-tables.js';
import * as mailTables from './mail-tables.js';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { Migration20261127150000_worker_access } from './migrations/Migration20261127150000_worker_access.js';
import { Migration20261127154000_mail } from './migrations/Migration20261127154000_mail.js';
import { Migration20261127160000_second_factor } from './migrations/Migration20261127160000_second_factor.js';
import { Migration20261127160325_mail_choice } from './migrations/Migration20261127160325_mail_choice.js';
import { Migration20261127193016_payout_change } from './migrations/Migration20261127193016_payout_change.js';
import { Migration20261127193525_address_and_closing } from './migrations/Migration20261127193525_address_and_closing.js';
import { Migration20261127193526_account_closing_index } from './migrations/Migration20261127193526_account_closing_index.js';
import { Migration20261127193527_notice_kinds } from './migrations/Migration20261127193527_notice_kinds.js';
import { Migration20261127200518_second_factor_required } from './migrations/Migration20261127200518_second_factor_required.js';
import { Migration20261130004437_contract_ended_notice } from './migrations/Migration20261130004437_contract_ended_notice.js';
import { Migration20261130004438_notice_kinds_again } from './migrations/Migration20261130004438_notice_kinds_again.js';
import * as oauthTables from './oauth-tables.js';
import * as tables from './tables.js';

export const workspacesSchema: Schema = {
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
    Migration20261127193016_payout_change,
    Migration20261127193525_address_and_closing,
    Migration20261127193526_account_closing_index,
    Migration20261127193527_notice_kinds,
    Migration20261127200518_second_factor_required,
    Migration20261130004437_contract_ended_notice,
    Migration20261130004438_notice_kinds_again,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
};
