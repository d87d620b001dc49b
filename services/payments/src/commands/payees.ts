import { INTERNAL, MANAGERS, newId, notFound, peopleOf, type PaymentMethod } from '@payroll/kernel';
import type { Deployment } from '@payroll/admission';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import type { TableRow, Values } from '@payroll/store';
import { personOfFinance } from '../domain/instruction.js';
import { enteredDestination } from '../domain/destination.js';
import { changerOf, followPayee, requireSecondPerson, requireSeen, type PayeeEdge } from '../domain/payee.js';
import { enteredText, invalid } from '../domain/values.js';
import { PayeeTable } from '../store/tables.js';
import { toPayee, type Payee } from '../store/views.js';

declare const known: unique symbol;

/** The id of a worker that contracts confirmed for the workspace; only `knowWorker` creates one. */
export type KnownWorkerId = string & { readonly [known]: true };

interface Destination {
  payoutMethod: PaymentMethod;
  /** The worker's account for this method, such as an IBAN, an email address or a wallet. */
  destination: string;
}

type Rejection = { id: string; reason: string };
type ChangePayee = Destination & { id: string; expectedVersion?: string };
type VerifyPayee = Pick<Destination, 'destination'> & { id: string; expectedVersion: string };
type NewPayee = Destination & { workerId: KnownWorkerId };

const MAX_REASON_LENGTH = 2_000;

/** Registers where a worker's money goes. Nothing is paid there before it is verified. */
export function registerPayee(deployment: Deployment): Command<NewPayee, Payee> {
  return defineCommand('payee.register', {
    who: { ...MANAGERS, needsRecentPassword: true },
    decide: async (tx, input: NewPayee) => {
      const { workerId, payoutMethod } = input;
      const destination = enteredDestination(payoutMethod, input.destination, deployment);
      if (await tx.find(PayeeTable, { workerId })) {
        throw invalid('workerId', 'taken', 'This worker already has a payee; change that one.');
      }
      const payee = tx.insert(PayeeTable, {
        workspaceId: tx.workspaceId,
        id: newId(),
        workerId,
        payoutMethod,
        destination,
        verificationStatus: 'unverified',
        rejectionReason: null,
        changedBy: changerOf(tx.origin.actor),
        verifiedBy: null,
        createdAt: tx.now,
        updatedAt: tx.now,
      });
      // The destination is the worker's personal data, so it is not audited.
      tx.audit('payee.registered', payee.id, { workerId, payoutMethod, changedBy: payee.changedBy });
      return toPayee(payee);
    },
  });
}

/**
 * Changes where a worker's money goes, from the next payout on and once verified. Does not affect a payout in
 * progress.
 */
export function changePayee(deployment: Deployment): Command<ChangePayee, Payee> {
  return defineCommand('payee.change', {
    who: { ...MANAGERS, needsRecentPassword: true },
    decide: async (tx, input: ChangePayee) => {
      const { id, payoutMethod } = input;
      const destination = enteredDestination(payoutMethod, input.destination, deployment);
      const payee = await findPayee(tx, id);
      requireSeen(payee, tx.origin.actor, input.expectedVersion);
      const entered = { changedBy: changerOf(tx.origin.actor), verifiedBy: null };
      const changed = movePayee(tx, payee, 'change', { payoutMethod, destination, ...entered });
      tx.audit('payee.changed', id, { payoutMethod, changedBy: entered.changedBy });
      return toPayee(changed);
    },
  });
}

/** A second person has verified that the destination is the worker's: payouts may go there. */
export const verifyPayee = defineCommand('payee.verify', {
  who: peopleOf('finance'),
  decide: async (tx, { id, expectedVersion: version, destination }: VerifyPayee) => {
    const person = personOfFinance(tx.origin.actor);
    const payee = await findPayee(tx, id);
    const { changedBy } = payee;
    requireSecondPerson(payee, { person, version, destination });
    const verified = movePayee(tx, payee, 'verify', { verifiedBy: person });
    tx.audit('payee.verified', id, { changedBy, verifiedBy: person });
    return toPayee(verified);
  },
});

export const rejectPayee = defineCommand('payee.reject', {
  who: INTERNAL,
  decide: async (tx, input: Rejection) => {
    const reason = enteredText('reason', input.reason, MAX_REASON_LENGTH);
    const payee = await findPayee(tx, input.id);
    const rejected = movePayee(tx, payee, 'reject', { rejectionReason: reason });
    tx.audit('payee.rejected', payee.id, { reason });
    return toPayee(rejected);
  },
});

type PayeeRow = TableRow<typeof PayeeTable>;

/** The payee, locked until commit. */
export async function findPayee(tx: CommandTransaction, id: string): Promise<PayeeRow> {
  const payee = await tx.lock(PayeeTable, id);
  if (!payee) throw notFound('The payee');
  return payee;
}

/** Follows an edge of the payee's state machine. @returns the payee afterwards */
export function movePayee(
  tx: CommandTransaction,
  payee: PayeeRow,
  edge: PayeeEdge,
  changes: Values<typeof PayeeTable>,
): PayeeRow {
  const verificationStatus = followPayee(payee.verificationStatus, edge);
  return tx.update(PayeeTable, payee, { rejectionReason: null, ...changes, verificationStatus, updatedAt: tx.now });
}
