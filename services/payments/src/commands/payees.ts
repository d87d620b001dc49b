import {
  daysAfter,
  hoursAfter,
  INTERNAL_ONLY,
  isWorker,
  ADMINS_OR_INTERNAL,
  newId,
  requireFound,
  staffOfTeams,
  requireWorker,
  SYSTEM_ONLY,
  WORKER_ONLY,
  type Instant,
  type PaymentMethod,
  enteredText,
  invalid,
} from '@payroll/kernel';
import type { Deployment } from '@payroll/runtime';
import { type EventBody, newEvent } from '@payroll/events';
import { daysAhead } from '@payroll/service';
import { defineCommand, type Command, type CommandTransaction, type EventCommand } from '@payroll/commands';
import type { TableRow, Values } from '@payroll/store';
import { personOfFinance } from '../domain/instruction.js';
import { enteredDestination } from '../domain/destination.js';
import {
  enteredBy,
  followPayee,
  formerOf,
  holdOfChange,
  isHeld,
  requireSecondPerson,
  requireSeen,
  requireVersion,
  stateOfChange,
  type PayeeEdge,
} from '../domain/payee.js';
import { PayeeTable } from '../store/tables.js';
import { toPayee, type Payee } from '../store/views.js';

declare const known: unique symbol;

/** The id of a worker that contracts confirmed for the workspace; only `requireKnownWorker` creates one. */
export type KnownWorkerId = string & { readonly [known]: true };

/** Payout details as they are typed. */
interface Details {
  /** The name that the account is in. */
  holder?: string | null;
  payoutMethod: PaymentMethod;
  /** The worker's account for this method, such as an IBAN, an email address or a wallet. */
  destination: string;
}

type Rejection = { id: string; reason: string; expectedVersion?: string };
type ChangePayee = Details & { id: string; expectedVersion?: string };
type VerifyPayee = Pick<Details, 'destination'> & { id: string; expectedVersion: string };
type NewPayee = Details & { workerId: KnownWorkerId };
/** The version that the worker saw; null if they had no details yet. */
type MyDetails = Details & { expectedVersion: string | null };

const MAX_REASON_LENGTH = 2_000;
const MAX_HOLDER_LENGTH = 140;

/** How payout details are checked in this deployment. */
export interface PayeeRules {
  deployment: Deployment;
  /** How long a change of details that were verified once is not paid to. */
  holdHours: number;
}

/** Registers where a worker's money goes. Nothing is paid there before it is verified. */
export function registerPayee({ deployment }: Pick<PayeeRules, 'deployment'>): Command<NewPayee, Payee> {
  return defineCommand('payee.register', {
    who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
    decide: async (tx, { workerId, ...details }: NewPayee) => {
      const entered = enteredDetails(details, deployment);
      if (await tx.find(PayeeTable, { workerId })) {
        throw invalid('workerId', 'taken', 'This worker already has a payee; change that one.');
      }
      return toPayee(insertPayee(tx, workerId, entered));
    },
  });
}

/**
 * Changes where a worker's money goes, from the next payout on, once verified and after the hold. Does not affect a payout
 * in progress.
 */
export function changePayee(rules: PayeeRules): Command<ChangePayee, Payee> {
  return defineCommand('payee.change', {
    who: { ...ADMINS_OR_INTERNAL, needsRecentPassword: true },
    decide: async (tx, { id, expectedVersion, ...details }: ChangePayee) => {
      const entered = enteredDetails(details, rules.deployment);
      const payee = await findPayee(tx, id);
      requireSeen(payee, tx.origin.actor, expectedVersion);
      return toPayee(await changeDetails(tx, rules, payee, entered));
    },
  });
}

/** The worker's own first details, or a change of those that they saw. Once a worker signs in, they enter them alone. */
export function enterMyPayee(rules: PayeeRules): Command<MyDetails, void> {
  return defineCommand('payee.enter-mine', {
    who: { ...WORKER_ONLY, needsRecentPassword: true },
    decide: async (tx, { holder, expectedVersion, ...details }: MyDetails) => {
      const { workerId } = requireWorker(tx.origin.actor);
      const entered = enteredDetails({ ...details, holder: holder ?? '' }, rules.deployment);
      const payee = await tx.find(PayeeTable, { workerId });
      requireVersion(payee, expectedVersion);
      if (payee === null) insertPayee(tx, workerId, entered);
      else await changeDetails(tx, rules, payee, entered);
    },
  });
}

type Entered = Required<Details>;

function enteredDetails({ holder, payoutMethod, destination }: Details, deployment: Deployment): Entered {
  return {
    holder: holder == null ? null : enteredText('holder', holder, MAX_HOLDER_LENGTH),
    payoutMethod,
    destination: enteredDestination(payoutMethod, destination, deployment),
  };
}

function insertPayee(tx: CommandTransaction, workerId: string, entered: Entered): PayeeRow {
  const payee = tx.insert(PayeeTable, {
    id: newId(),
    workerId,
    ...entered,
    verificationStatus: 'unverified',
    rejectionReason: null,
    heldUntil: null,
    ...entererOf(tx),
    verifiedBy: null,
    changeId: null,
    former: null,
    stoppedAt: null,
  });
  // Holder and destination are the worker's personal data, so they are not audited.
  const { id, payoutMethod, changedBy } = payee;
  tx.audit('payee.registered', id, { workerId, payoutMethod, changedBy });
  return payee;
}

async function changeDetails(
  tx: CommandTransaction,
  { deployment, holdHours }: PayeeRules,
  payee: PayeeRow,
  entered: Entered,
): Promise<PayeeRow> {
  const by = entererOf(tx);
  const { changedBy } = by;
  const now = await calendarNow(tx, deployment);
  const heldUntil = holdOfChange(payee, now, holdHours);
  const former = formerOf(payee, now);
  // Without former details a stop would restore nothing, so no link is mailed.
  const changeId = former === null ? null : ((isHeld(payee, now) ? payee.changeId : null) ?? newId());
  const held = { heldUntil, former, changeId, stoppedAt: null };
  const changed = movePayee(tx, payee, 'change', { ...entered, ...held, ...by, verifiedBy: null });
  tx.audit('payee.changed', payee.id, { payoutMethod: entered.payoutMethod, changedBy, heldUntil });
  if (heldUntil !== null && changeId !== null) {
    tx.emit(newEvent('notice.payout-change', changeId, { changeId, workerId: payee.workerId, until: heldUntil }));
  }
  return changed;
}

function entererOf({ origin: { actor } }: CommandTransaction) {
  return { changedBy: enteredBy(actor), enteredWith: isWorker(actor) ? actor.principalId : null };
}

/** By the calendar of the workspace. A live deployment has none, even if its table was copied from a test one. */
async function calendarNow(tx: CommandTransaction, deployment: Deployment): Promise<Instant> {
  return daysAfter(tx.now, deployment === 'test' ? await daysAhead(tx) : 0);
}

/**
 * The worker has stopped a change with the mailed link: the former details are paid to again, at once. Nothing was paid to the
 * stopped ones, because they were on hold. Too late, it does nothing.
 */
export function stopChange(deployment: Deployment): EventCommand<'payout-change.stopped'> {
  return defineCommand('payee.stop-change', {
    who: SYSTEM_ONLY,
    decide: async (tx, { changeId }: EventBody<'payout-change.stopped'>): Promise<void> => {
      const payee = await tx.find(PayeeTable, { changeId });
      const state = stateOfChange(payee, changeId, await calendarNow(tx, deployment));
      if (state !== 'waiting' || !payee?.former) return;
      const { id, workerId, payoutMethod, changedBy } = payee;
      movePayee(tx, payee, 'stop', { ...payee.former, former: null, heldUntil: null, stoppedAt: tx.now });
      tx.audit('payee.change-stopped', id, { payoutMethod, changedBy });
      tx.emit(newEvent('notice.payment', id, { kind: 'payout_change_stopped', aboutId: id, workerId }));
    },
  });
}

/**
 * Our staff ended the access of a worker. Details that were entered with it have to be verified again, and payments that are
 * due within the hold wait. The link that stops a change no longer restores the former ones: they may have been entered with
 * the same access.
 */
export function doubtDetails({ deployment, holdHours }: PayeeRules): EventCommand<'worker-access.ended'> {
  return defineCommand('payee.doubt', {
    who: SYSTEM_ONLY,
    decide: async (tx, { accessId, workerId }: EventBody<'worker-access.ended'>): Promise<void> => {
      const payee = await tx.find(PayeeTable, { workerId });
      const isTheirs = payee?.enteredWith === accessId;
      if (payee === null || (!isTheirs && payee.former?.enteredWith !== accessId)) return;
      // Details that replaced theirs before this event arrived keep their verification.
      if (!isTheirs || payee.verificationStatus === 'rejected') {
        tx.update(PayeeTable, payee, { changeId: null, former: null, updatedAt: tx.now });
        return;
      }
      const heldUntil = hoursAfter(await calendarNow(tx, deployment), holdHours);
      const undone = { verifiedBy: null, changeId: null, former: null, stoppedAt: null };
      movePayee(tx, payee, 'change', { heldUntil, ...undone });
      tx.audit('payee.doubted', payee.id, { access: accessId, heldUntil });
    },
  });
}

/** A second person has verified that the destination is the worker's: payouts may go there. */
export const verifyPayee = defineCommand('payee.verify', {
  who: staffOfTeams('finance'),
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
  who: INTERNAL_ONLY,
  decide: async (tx, input: Rejection) => {
    const reason = enteredText('reason', input.reason, MAX_REASON_LENGTH);
    const payee = await findPayee(tx, input.id);
    requireSeen(payee, tx.origin.actor, input.expectedVersion);
    const rejected = movePayee(tx, payee, 'reject', { rejectionReason: reason });
    tx.audit('payee.rejected', payee.id, { reason });
    return toPayee(rejected);
  },
});

type PayeeRow = TableRow<typeof PayeeTable>;

/** The payee, locked until commit. */
export async function findPayee(tx: CommandTransaction, id: string): Promise<PayeeRow> {
  return requireFound(await tx.lock(PayeeTable, id), 'The payee');
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
