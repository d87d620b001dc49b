import { INTERNAL, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { enteredText, invalid } from '../domain/entered.js';
import { changerOf, type Payee, type PayoutMethod } from '../domain/payee.js';
import { PayeeTable } from '../store/tables.js';
import { toPayee } from '../store/to-payee.js';

declare const known: unique symbol;

/** The id of a worker whom contracts knows in the workspace; only asking it makes one. */
export type KnownWorkerId = string & { readonly [known]: true };

export interface RegisterPayee {
  workerId: KnownWorkerId;
  payoutMethod: PayoutMethod;
  /** What the method needs to find the worker, such as an IBAN, an e-mail address or a wallet. */
  destination: string;
}

export const MAX_DESTINATION_LENGTH = 254;

/** Says where a worker's money goes. Nothing is paid to it before it is verified. */
export const registerPayee = defineCommand(
  'payee.register',
  INTERNAL,
  async (tx, input: RegisterPayee): Promise<Payee> => {
    const { workerId, payoutMethod } = input;
    const { workspaceId } = tx;
    const destination = enteredText('destination', input.destination, MAX_DESTINATION_LENGTH);
    if ((await tx.em.count(PayeeTable, { workspaceId, workerId })) > 0) {
      throw invalid('workerId', 'taken', 'This worker has a payee already; change that one.');
    }
    const payee = tx.em.create(PayeeTable, {
      workspaceId,
      id: newId(),
      workerId,
      payoutMethod,
      destination,
      verificationStatus: 'unverified',
      rejectionReason: null,
      changedBy: changerOf(tx.origin.actor),
      changedAt: tx.now,
      verifiedBy: null,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    tx.em.persist(payee);
    // The destination is the worker's: the audit trail is not the place for it.
    tx.audit('payee.registered', payee.id, { workerId, payoutMethod, changedBy: payee.changedBy });
    return toPayee(payee);
  },
);
