import { requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Payment } from '../domain/payment.js';
import { toPayment } from '../store/to-payment.js';
import { findPayment } from './find-payment.js';
import { movePayment } from './move-payment.js';

/** A failed payment is pending again, and is processed as any pending one: by the runner, or by `initiatePayout`. */
export const retryPayment = defineCommand(
  'payment.retry',
  async (tx, { paymentId }: { paymentId: string }): Promise<Payment> => {
    requireInternal(tx.origin.actor);
    const payment = await findPayment(tx, paymentId);
    movePayment(tx, payment, 'retry', { processedAt: null, failureReason: null });
    return toPayment(payment);
  },
);
