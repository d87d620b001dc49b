import { type CommandTransaction, defineCommand } from '@payroll/commands';
import { newEvent } from '@payroll/events';
import { dayOf, requiringScope, INTERNAL_ONLY } from '@payroll/kernel';
import { sandboxVersionOf } from '@payroll/service';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { followMilestone } from '../domain/milestone.js';
import {
  paymentIdOf,
  readReason,
  requirePayable,
  requireVersion,
  type Rejected,
  type Reviewed,
} from '../domain/work.js';
import { type Milestone, toMilestone } from '../store/views.js';
import { MilestoneTable } from '../store/tables.js';
import {
  findMilestone,
  findContractState,
  type MilestoneRow,
  nextRevision,
  tellReviewers,
  tellWorker,
} from './work.js';

const REVIEWERS = requiringScope('milestones:write');

type HandIn = { id: string; edge: 'submit' | 'resubmit' };

/** Submits a pending milestone for review, or resubmits a rejected one. */
export const submitMilestone = defineCommand('milestone.submit', {
  who: INTERNAL_ONLY,
  decide: async (tx, { id, edge }: HandIn) => await submit(tx, await findMilestone(tx, id), edge, null),
});

/** In place of the worker. */
export const submitMilestoneInSandbox = sandboxVersionOf('sandbox.submit-milestone', submitMilestone);

export async function submit(
  tx: CommandTransaction,
  milestone: MilestoneRow,
  edge: HandIn['edge'],
  note: string | null,
): Promise<Milestone> {
  const status = followMilestone(milestone.status, edge);
  requireOpenForWork(await findContractState(tx, milestone));
  requirePayable('amount', milestone);
  const changes = { status, note, rejectionReason: null };
  const submitted = tx.update(MilestoneTable, milestone, { ...changes, ...nextRevision(tx, milestone) });
  const { amount, currency } = milestone;
  tx.audit(edge === 'submit' ? 'milestone.submitted' : 'milestone.resubmitted', milestone.id, { amount, currency });
  tellReviewers(tx, milestone);
  return toMilestone(submitted);
}

export const approveMilestone = defineCommand('milestone.approve', {
  who: REVIEWERS,
  find: (rows, { id }: Reviewed) => findMilestone(rows, id),
  decide: (tx, input, milestone) => {
    requireVersion(milestone, input.expectedVersion);
    const status = followMilestone(milestone.status, 'approve');
    requirePayable('amount', milestone);
    const paymentId = paymentIdOf('milestone', milestone.id);
    const decided = { status, paymentId, paymentDate: dayOf(tx.now) };
    const approved = tx.update(MilestoneTable, milestone, { ...decided, ...nextRevision(tx, milestone) });
    const { id: milestoneId, contractId, revision } = approved;
    const amount = { amount: milestone.amount, currency: milestone.currency };
    tx.audit('milestone.approved', milestoneId, { paymentId, amount });
    tx.emit(newEvent('milestone.approved', paymentId, { milestoneId, contractId, paymentId, revision, amount }));
    return toMilestone(approved);
  },
});

export const rejectMilestone = defineCommand('milestone.reject', {
  who: REVIEWERS,
  find: (rows, { id }: Rejected) => findMilestone(rows, id),
  decide: async (tx, input, milestone) => {
    const reason = readReason(input.reason);
    requireVersion(milestone, input.expectedVersion);
    const status = followMilestone(milestone.status, 'reject');
    const decided = { status, rejectionReason: reason };
    const rejected = tx.update(MilestoneTable, milestone, { ...decided, ...nextRevision(tx, milestone) });
    tx.audit('milestone.rejected', milestone.id, { reason });
    await tellWorker(tx, milestone);
    return toMilestone(rejected);
  },
});
