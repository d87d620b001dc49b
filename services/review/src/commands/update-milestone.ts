import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireNotEnded } from '../domain/contract-terms.js';
import { changeDetails, readDetails, type ChangedDetails } from '../domain/milestone-details.js';
import { followMilestone, type Milestone } from '../domain/milestone.js';
import { toMilestone } from '../store/to-milestone.js';
import { findMilestone } from './find-milestone.js';
import { findTerms } from './find-terms.js';
import { touch } from './touch.js';

export interface UpdateMilestone extends ChangedDetails {
  id: string;
}

/** Agrees anew on a milestone that is not under review: not handed in yet, or rejected. */
export const updateMilestone = defineCommand(
  'milestone.update',
  INTERNAL,
  async (tx, { id, ...change }: UpdateMilestone): Promise<Milestone> => {
    const milestone = await findMilestone(tx, id);
    const status = followMilestone(milestone.status, 'change');
    requireNotEnded(await findTerms(tx, milestone.contractId));
    Object.assign(milestone, readDetails(changeDetails(milestone, change), milestone.currency));
    milestone.status = status;
    touch(tx, milestone);
    tx.audit('milestone.updated', milestone.id, change);
    return toMilestone(milestone);
  },
);
