import { CalendarTable, DeferredWorkTable } from '@payroll/service';
import { writePathTables } from '@payroll/commands';
import type { Schema } from '@payroll/store';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';
import { Migration20261127000000_order_source } from './migrations/Migration20261127000000_order_source.js';
import { Migration20261127152852_payee_holder } from './migrations/Migration20261127152852_payee_holder.js';
import { Migration20261127154421_payee_hold } from './migrations/Migration20261127154421_payee_hold.js';
import { Migration20261127193015_payout_change } from './migrations/Migration20261127193015_payout_change.js';
import { Migration20261127193016_payout_change_index } from './migrations/Migration20261127193016_payout_change_index.js';
import { Migration20261127193017_payout_change_unique } from './migrations/Migration20261127193017_payout_change_unique.js';
import { Migration20261127200603_entered_with } from './migrations/Migration20261127200603_entered_with.js';
import * as money from './money-tables.js';
import * as tables from './tables.js';

export const paymentsSchema: Schema = {
  name: 'payments',
  tables: [
    tables.PaymentTable,
    tables.DeductionTable,
    tables.ContractWorkerTable,
    tables.BusinessTable,
    tables.PayeeTable,
    money.PayoutAttemptTable,
    money.OrderCheckTable,
    money.UnclaimedOrderTable,
    money.LedgerAccountTable,
    money.LedgerPostingTable,
    money.LedgerEntryTable,
    tables.InstructionTable,
    CalendarTable,
    DeferredWorkTable,
    ...writePathTables,
  ],
  migrations: [
    Migration20261124000000_first,
    Migration20261127000000_order_source,
    Migration20261127152852_payee_holder,
    Migration20261127154421_payee_hold,
    Migration20261127193015_payout_change,
    Migration20261127193016_payout_change_index,
    Migration20261127193017_payout_change_unique,
    Migration20261127200603_entered_with,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
};
