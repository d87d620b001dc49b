import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { enteredText } from '../domain/entered.js';
import type { Payee } from '../domain/payee.js';
import { toPayee } from '../store/to-payee.js';
import { findPayee, movePayee } from './find-payee.js';

export interface RejectPayee {
  id: string;
  reason: string;
}

const MAX_REASON_LENGTH = 2_000;

/** The destination cannot be paid to; another one can be given. */
export const rejectPayee = defineCommand('payee.reject', INTERNAL, async (tx, input: RejectPayee): Promise<Payee> => {
  const reason = enteredText('reason', input.reason, MAX_REASON_LENGTH);
  const payee = await findPayee(tx, input.id);
  movePayee(tx, payee, 'reject', reason);
  tx.audit('payee.rejected', payee.id, { reason });
  return toPayee(payee);
});
