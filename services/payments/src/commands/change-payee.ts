import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { enteredText } from '../domain/entered.js';
import type { Payee, PayoutMethod } from '../domain/payee.js';
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
  Object.assign(payee, { payoutMethod, destination });
  tx.audit('payee.changed', id, { payoutMethod });
  return toPayee(payee);
});
