import { defineSchema, writePathTables, type Rows } from '@payroll/store';
import { PaymentTable } from './tables.js';

export const paymentsSchema = defineSchema({
  name: 'payments',
  tables: [PaymentTable, ...writePathTables],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type PaymentsRows = Rows<typeof paymentsSchema>;
