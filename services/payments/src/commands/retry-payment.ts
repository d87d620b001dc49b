import type { CommandTransaction } from '@payroll/store';
import { findPayment } from './find-payment.js';
import { movePayment } from './move-payment.js';

/** A failed payment is pending again, and is processed as any pending one: by the runner, or by hand. */
export async function retryPayment(tx: CommandTransaction, { paymentId }: { paymentId: string }): Promise<void> {
  movePayment(tx, await findPayment(tx, paymentId), 'retry', { processedAt: null, failureReason: null });
}
