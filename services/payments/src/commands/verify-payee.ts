import { peopleOf } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { personOfFinance } from '../domain/instruction.js';
import { requireSecondPerson, type Payee } from '../domain/payee.js';
import { toPayee } from '../store/to-payee.js';
import { findPayee, movePayee } from './find-payee.js';

export interface VerifyPayee {
  id: string;
  expectedVersion: string;
}

/** A second person made sure that the destination is the worker's: payouts may go there. */
export const verifyPayee = defineCommand(
  'payee.verify',
  peopleOf('finance'),
  async (tx, { id, expectedVersion }: VerifyPayee): Promise<Payee> => {
    const person = personOfFinance(tx.origin.actor);
    const payee = await findPayee(tx, id);
    const { changedBy } = payee;
    requireSecondPerson(payee, { person, version: expectedVersion });
    movePayee(tx, payee, 'verify', null);
    payee.verifiedBy = person;
    tx.audit('payee.verified', id, { changedBy, verifiedBy: person });
    return toPayee(payee);
  },
);
