import {
  addDays,
  dayOf,
  DENY_ALL,
  DomainError,
  isCalendarDate,
  notFound,
  requireWorker,
  SYSTEM_ONLY,
  WORKER_ONLY,
  invalid,
  requireText,
} from '@payroll/kernel';
import { type CommandTransaction, defineCommand } from '@payroll/commands';
import { daysAhead } from '@payroll/service';
import { type AgreedWork, draftVersionOf, type EnteredWork, readEnteredWork, requireSide } from '../domain/own-work.js';
import { followTimesheet } from '../domain/timesheet.js';
import { requireVersion } from '../domain/work.js';
import { ContractTermsTable, TimesheetDraftTable } from '../store/tables.js';
import { findMilestone, findTerms, findTimesheet } from './work.js';
import { submit as submitMilestone } from './review-milestone.js';
import { submit, submitAgain } from './submit-timesheet.js';

// Work that people submit. The contract of a worker is compared with the actor in the transaction.

/** The worker of a contract that was published before review knew workers. */
export const keepWorker = defineCommand('contract-terms.keep-worker', {
  who: SYSTEM_ONLY,
  decide: async (tx, { contractId, workerId }: { contractId: string; workerId: string }): Promise<void> => {
    const terms = await findTerms(tx, contractId);
    if (terms?.workerId === null) tx.update(ContractTermsTable, terms, { workerId });
  },
});

/** A draft as its worker last saw it. */
interface SeenDraft {
  draftOf: string | null;
  draftVersion: string | null;
}

/** `agreed` is the answer of contracts for this request, and no part of the operation: a retry may have a newer one. */
export const submitOwnTimesheet = (agreed: AgreedWork) =>
  defineCommand('timesheet.submit-own', {
    who: WORKER_ONLY,
    decide: async (
      tx,
      { contractId, draftOf, draftVersion, ...entered }: EnteredWork & SeenDraft & { contractId: string },
    ) => {
      const terms = await requireOwnContract(tx, contractId);
      requireSide('worker', agreed);
      const work = readEnteredWork(entered, agreed, await today(tx));
      const timesheet = await submit(tx, terms, { ...work, submittedBy: 'worker' });
      const draft = draftOf === null ? null : await findDraft(tx, contractId, draftOf);
      // One that was saved in another window since then stays: it may have work that is not in this timesheet.
      if (draft && draftVersionOf(draft.fields) === draftVersion) tx.remove(TimesheetDraftTable, draft);
      return timesheet;
    },
  });

/** Submitted or rejected work: a new version. Approved work stays as it is. */
export const correctOwnTimesheet = (agreed: AgreedWork) =>
  defineCommand('timesheet.correct-own', {
    who: WORKER_ONLY,
    decide: async (tx, { id, expectedVersion, ...entered }: EnteredWork & { id: string; expectedVersion: string }) => {
      const timesheet = await findTimesheet(tx, id);
      await requireOwnContract(tx, timesheet.contractId);
      requireSide('worker', agreed);
      requireVersion(timesheet, expectedVersion);
      const status = followTimesheet(timesheet.status, 'correct');
      const work = readEnteredWork(entered, agreed, await today(tx));
      return await submitAgain(tx, timesheet, { ...work, status, submittedBy: 'worker' });
    },
  });

export const CLIENT_ONLY = { ...DENY_ALL, roles: ['admin', 'member'] } as const;

/** The client submits the work of a contract that leaves it to them. */
export const submitTimesheetForClient = (agreed: AgreedWork) =>
  defineCommand('timesheet.submit-for-client', {
    who: CLIENT_ONLY,
    decide: async (tx, { contractId, ...entered }: EnteredWork & { contractId: string }) => {
      requireSide('client', agreed);
      const work = readEnteredWork(entered, agreed, await today(tx));
      return await submit(tx, await findTerms(tx, contractId), { ...work, submittedBy: 'client' });
    },
  });

export const submitOwnMilestone = defineCommand('milestone.submit-own', {
  who: WORKER_ONLY,
  decide: async (tx, { id, ...given }: { id: string; note: string | null }) => {
    const milestone = await findMilestone(tx, id);
    await requireOwnContract(tx, milestone.contractId);
    const note = given.note?.trim() || null;
    if (note !== null) requireText('note', note, 1, 2_000);
    return await submitMilestone(tx, milestone, milestone.status === 'rejected' ? 'resubmit' : 'submit', note);
  },
});

type DraftOf = { contractId: string; firstDay: string; fields: string; expectedVersion: string | null };

/**
 * Keeps what was typed, without looking at it: only its size is limited. Never replaces a draft that the worker has not seen.
 * @throws DomainError `STALE_RESOURCE_VERSION`
 */
export const saveTimesheetDraft = defineCommand('timesheet-draft.save', {
  who: WORKER_ONLY,
  decide: async (tx, { contractId, firstDay, fields, expectedVersion }: DraftOf): Promise<void> => {
    await requireOwnContract(tx, contractId);
    requireText('fields', fields, 2, 20_000);
    if (!isCalendarDate(firstDay)) throw invalid('firstDay', 'invalid_format', 'firstDay must be a calendar day.');
    const known = await findDraft(tx, contractId, firstDay);
    const saved = { fields, savedAt: tx.now };
    if (!known) {
      const { principalId } = tx.origin.actor;
      tx.insert(TimesheetDraftTable, { principalId, contractId, firstDay, ...saved });
      return;
    }
    if (known.fields !== fields && draftVersionOf(known.fields) !== expectedVersion) {
      throw new DomainError('STALE_RESOURCE_VERSION', 'Another draft of this week was saved meanwhile.');
    }
    tx.update(TimesheetDraftTable, known, saved);
  },
});

async function findDraft(tx: CommandTransaction, contractId: string, firstDay: string) {
  if (!isCalendarDate(firstDay)) return null;
  return await tx.find(TimesheetDraftTable, { principalId: tx.origin.actor.principalId, contractId, firstDay });
}

/** @throws DomainError `NOT_FOUND` for a contract of another worker */
async function requireOwnContract(tx: CommandTransaction, contractId: string) {
  const { workerId } = requireWorker(tx.origin.actor);
  const terms = await findTerms(tx, contractId);
  if (terms?.workerId !== workerId) throw notFound('The contract');
  return terms;
}

/** By the sandbox's calendar. */
async function today(tx: CommandTransaction): Promise<string> {
  return addDays(dayOf(tx.now), await daysAhead(tx));
}
