import { DomainError, NOBODY, unavailable, type WhoMay } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import type { Learned } from '../domain/payout.js';
import { toPayment, type Payment } from '../store/views.js';
import { beginPayout } from './begin-payout.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';

/** Admins of the workspace in person: it is their money. Staff, who move the money of others, are two (ADR 18). */
const ADMINS: WhoMay = { ...NOBODY, roles: ['admin'], needsRecentPassword: true };

export interface SeenPayment {
  paymentId: string;
  /** The payment's `updatedAt` when it was looked at. */
  expectedVersion: string;
}

/** What made it fail is no longer so: it is pending again, and processed like any other. */
export const retryPayment = defineCommand('payment.retry', {
  who: ADMINS,
  decide: async (tx, seen: SeenPayment) => {
    const payment = await findAsSeen(tx, seen);
    return toPayment(movePayment(tx, payment, 'retry', { processedAt: null, failureReason: null }));
  },
});

/** Before its day, or without automatic payment. `learned` is no input: a repeated request learns anew. */
export function payByHand(learned: Learned | null): Command<SeenPayment, Payment> {
  return defineCommand('payment.pay-by-hand', {
    who: ADMINS,
    decide: async (tx, seen: SeenPayment) => {
      const payment = await findAsSeen(tx, seen);
      if (!learned) throw unavailable('What decides over the payment');
      return toPayment(await beginPayout(tx, payment, learned));
    },
  });
}

async function findAsSeen(tx: CommandTransaction, { paymentId, expectedVersion }: SeenPayment): Promise<PaymentRow> {
  const payment = await findPayment(tx, paymentId);
  if (payment.updatedAt === expectedVersion) return payment;
  throw new DomainError('STALE_RESOURCE_VERSION', 'The payment has changed since you saw it. Look at it again.');
}
