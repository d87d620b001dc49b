import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { enteredText } from '../domain/entered.js';
import { changerOf, type Payee, type PayoutMethod } from '../domain/payee.js';
import { toPayee } from '../store/to-payee.js';
import { findPayee, movePayee } from './find-payee.js';
import { MAX_DESTINATION_LENGTH } from './register-payee.js';

export interface ChangePayee {
  id: string;
  payoutMethod: PayoutMethod;
  destination: string;
}

/** Sends a worker's money elsewhere from the next payout on, once that is verified; one under way keeps its way. */
export const changePayee = defineCommand('payee.change', INTERNAL, async (tx, input: ChangePayee): Promise<Payee> => {
  const { id, payoutMethod } = input;
  const destination = enteredText('destination', input.destination, MAX_DESTINATION_LENGTH);
  const payee = await findPayee(tx, id);
  movePayee(tx, payee, 'change', null);
  const entered = { changedBy: changerOf(tx.origin.actor), changedAt: tx.now, verifiedBy: null };
  Object.assign(payee, { payoutMethod, destination, ...entered });
  tx.audit('payee.changed', id, { payoutMethod, changedBy: entered.changedBy });
  return toPayee(payee);
});
