import { DomainError, DENY_ALL, unavailable, type CommandPolicy } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import type { PartyFreshness } from '../domain/payout.js';
import { toPayment, type Payment } from '../store/views.js';
import { beginPayout } from './begin-payout.js';
import { findPayment, movePayment, type PaymentRow } from './payment.js';

/** Admins act alone, in person: it is their own money. Staff, who move a customer's money, are two (ADR 18). */
const ADMINS: CommandPolicy = { ...DENY_ALL, roles: ['admin'], needsRecentPassword: true };

export interface SeenPayment {
  paymentId: string;
  /** The payment's `updatedAt` as the admin saw it. */
  expectedVersion: string;
}

/** Makes a failed payment pending again; it is then processed like any other. */
export const retryPayment = defineCommand('payment.retry', {
  who: ADMINS,
  decide: async (tx, seen: SeenPayment) => {
    const payment = await findAsSeen(tx, seen);
    return toPayment(movePayment(tx, payment, 'retry', { processedAt: null, failureReason: null }));
  },
});

/**
 * Pays before the scheduled date, or without automatic payment. `learned` is not part of the input: a repeated request asks
 * the owners again.
 */
export function payManually(learned: PartyFreshness | null): Command<SeenPayment, Payment> {
  return defineCommand('payment.pay-by-hand', {
    who: ADMINS,
    decide: async (tx, seen: SeenPayment) => {
      const payment = await findAsSeen(tx, seen);
      if (!learned) throw unavailable('Contract or business data for this payout');
      return toPayment(await beginPayout(tx, payment, learned));
    },
  });
}

async function findAsSeen(tx: CommandTransaction, { paymentId, expectedVersion }: SeenPayment): Promise<PaymentRow> {
  const payment = await findPayment(tx, paymentId);
  if (payment.updatedAt === expectedVersion) return payment;
  throw new DomainError('STALE_RESOURCE_VERSION', 'The payment has changed since you saw it. Check it again.');
}
