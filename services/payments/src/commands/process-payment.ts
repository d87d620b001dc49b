import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Learned } from '../domain/learned.js';
import { requireDue } from '../domain/payment.js';
import { beginPayout } from './begin-payout.js';
import { findPayment } from './find-payment.js';

/** What the runner does with a payment that it has found: whether it is due, only Postgres' clock can say. */
export const processPayment = defineCommand(
  'payment.process',
  SYSTEM_ONLY,
  async (tx, { paymentId, learned }: { paymentId: string; learned: Learned }): Promise<void> => {
    const payment = await findPayment(tx, paymentId);
    requireDue(payment, tx.now);
    await beginPayout(tx, payment, learned);
  },
);
