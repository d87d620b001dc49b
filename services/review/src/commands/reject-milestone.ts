import { holdersOf } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followMilestone, type Milestone } from '../domain/milestone.js';
import { readReason } from '../domain/rejection-reason.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toMilestone } from '../store/to-milestone.js';
import { findMilestone } from './find-milestone.js';
import { touch } from './touch.js';

export interface RejectMilestone {
  id: string;
  expectedVersion: Version;
  reason: string;
}

/** Sends a submitted milestone back with a reason. No payment comes of it. */
export const rejectMilestone = defineCommand(
  'milestone.reject',
  holdersOf('milestones:write'),
  async (tx, input: RejectMilestone): Promise<Milestone> => {
    const reason = readReason(input.reason);
    const milestone = await findMilestone(tx, input.id);
    requireVersion(milestone, input.expectedVersion);
    milestone.status = followMilestone(milestone.status, 'reject');
    milestone.rejectionReason = reason;
    touch(tx, milestone);
    tx.audit('milestone.rejected', milestone.id, { reason });
    return toMilestone(milestone);
  },
);
