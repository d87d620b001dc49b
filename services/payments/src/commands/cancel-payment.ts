import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Payment } from '../domain/payment.js';
import { toPayment } from '../store/to-payment.js';
import { findPayment } from './find-payment.js';
import { movePayment } from './move-payment.js';

/** For good. Only a pending payment can be cancelled, so no money was set aside for it yet. */
export const cancelPayment = defineCommand(
  'payment.cancel',
  INTERNAL,
  async (tx, { paymentId }: { paymentId: string }): Promise<Payment> => {
    const payment = await findPayment(tx, paymentId);
    movePayment(tx, payment, 'cancel');
    return toPayment(payment);
  },
);
