import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { LedgerAccountTable, LedgerEntryTable, LedgerPostingTable } from './ledger-tables.js';
import { PayoutAttemptTable, SandboxPayoutTable } from './payout-tables.js';
import { BusinessTable, ContractWorkerTable, DeductionTable, PayeeTable, PaymentTable } from './tables.js';

export const paymentsSchema = defineSchema({
  name: 'payments',
  tables: [
    PaymentTable,
    DeductionTable,
    ContractWorkerTable,
    BusinessTable,
    PayeeTable,
    PayoutAttemptTable,
    SandboxPayoutTable,
    LedgerAccountTable,
    LedgerPostingTable,
    LedgerEntryTable,
    ...writePathTables,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type PaymentsRows = Rows<typeof paymentsSchema>;
