import { newEvent } from '@payroll/events';
import { dayOf, holdersOf, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followMilestone, type Milestone } from '../domain/milestone.js';
import { requirePayable } from '../domain/payable.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toMilestone } from '../store/to-milestone.js';
import { findMilestone } from './find-milestone.js';
import { touch } from './touch.js';

export interface ApproveMilestone {
  id: string;
  expectedVersion: Version;
}

/** Approves a submitted milestone and mints the id of its payment, which is attempted at once. */
export const approveMilestone = defineCommand(
  'milestone.approve',
  holdersOf('milestones:write'),
  async (tx, { id, expectedVersion }: ApproveMilestone): Promise<Milestone> => {
    const milestone = await findMilestone(tx, id);
    requireVersion(milestone, expectedVersion);
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
  },
);
