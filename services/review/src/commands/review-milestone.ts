import { newEvent } from '@payroll/events';
import { dayOf, holdersOf, INTERNAL, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { followMilestone } from '../domain/milestone.js';
import { readReason, requirePayable, requireVersion, type Rejected, type Reviewed } from '../domain/work.js';
import { toMilestone } from '../store/milestones.js';
import { findMilestone, findTerms, touch } from './find-work.js';

const REVIEWERS = holdersOf('milestones:write');

type HandIn = { id: string; edge: 'submit' | 'resubmit' };

/** A milestone is reached and handed in for review: submitted while it is pending, resubmitted once rejected. */
export const submitMilestone = defineCommand('milestone.submit', INTERNAL, async (tx, { id, edge }: HandIn) => {
  const milestone = await findMilestone(tx, id);
  const status = followMilestone(milestone.status, edge);
  requireOpenForWork(await findTerms(tx, milestone.contractId));
  requirePayable('amount', milestone);
  milestone.status = status;
  milestone.rejectionReason = null;
  touch(tx, milestone);
  const { amount, currency } = milestone;
  tx.audit(edge === 'submit' ? 'milestone.submitted' : 'milestone.resubmitted', milestone.id, { amount, currency });
  return toMilestone(milestone);
});

export const approveMilestone = defineCommand('milestone.approve', REVIEWERS, async (tx, input: Reviewed) => {
  const milestone = await findMilestone(tx, input.id);
  requireVersion(milestone, input.expectedVersion);
  milestone.status = followMilestone(milestone.status, 'approve');
  requirePayable('amount', milestone);
  const paymentId = newId();
  milestone.paymentId = paymentId;
  milestone.paymentDate = dayOf(tx.now);
  touch(tx, milestone);
  const amount = { amount: milestone.amount, currency: milestone.currency };
  tx.audit('milestone.approved', milestone.id, { paymentId, amount });
  tx.emit(
    newEvent('milestone.approved', paymentId, {
      milestoneId: milestone.id,
      contractId: milestone.contractId,
      paymentId,
      revision: milestone.revision,
      amount,
    }),
  );
  return toMilestone(milestone);
});

export const rejectMilestone = defineCommand('milestone.reject', REVIEWERS, async (tx, input: Rejected) => {
  const reason = readReason(input.reason);
  const milestone = await findMilestone(tx, input.id);
  requireVersion(milestone, input.expectedVersion);
  milestone.status = followMilestone(milestone.status, 'reject');
  milestone.rejectionReason = reason;
  touch(tx, milestone);
  tx.audit('milestone.rejected', milestone.id, { reason });
  return toMilestone(milestone);
});
