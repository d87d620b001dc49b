import type { CommandTransaction } from '@payroll/store';
import type { PaymentEntity } from './find-payment.js';
import { movePayment } from './move-payment.js';

/** A failed payment is pending again, and is processed as any pending one: by the runner, or by hand. */
export function retryPayment(tx: CommandTransaction, payment: PaymentEntity): void {
  movePayment(tx, payment, 'retry', { processedAt: null, failureReason: null });
}
