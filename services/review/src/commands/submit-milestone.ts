import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { followMilestone, type Milestone } from '../domain/milestone.js';
import { requirePayable } from '../domain/payable.js';
import { toMilestone } from '../store/to-milestone.js';
import { findMilestone } from './find-milestone.js';
import { findTerms } from './find-terms.js';
import { touch } from './touch.js';

export interface SubmitMilestone {
  id: string;
  /** Resubmitting is for rejected work, submitting for pending. */
  edge: 'submit' | 'resubmit';
}

/** A milestone is reached and handed in for review, for the first time or again. */
export const submitMilestone = defineCommand(
  'milestone.submit',
  INTERNAL,
  async (tx, { id, edge }: SubmitMilestone): Promise<Milestone> => {
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
  },
);
