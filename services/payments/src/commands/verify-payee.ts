import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Payee } from '../domain/payee.js';
import { toPayee } from '../store/to-payee.js';
import { findPayee, movePayee } from './find-payee.js';

/** Somebody made sure that the destination is the worker's: payouts may go there. */
export const verifyPayee = defineCommand(
  'payee.verify',
  INTERNAL,
  async (tx, { id }: { id: string }): Promise<Payee> => {
    const payee = await findPayee(tx, id);
    movePayee(tx, payee, 'verify', null);
    tx.audit('payee.verified', id, {});
    return toPayee(payee);
  },
);
