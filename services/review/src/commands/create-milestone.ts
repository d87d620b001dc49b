import type { CommandTransaction } from '@payroll/store';
import type { MilestoneDetails } from '../domain/milestone-details.js';
import { MilestoneTable } from '../store/tables.js';
import type { MilestoneEntity } from './find-milestone.js';

export interface NewMilestone extends MilestoneDetails {
  id: string;
  contractId: string;
  currency: string;
  agreement: number;
}

/** A milestone that is agreed on and not yet done. */
export function createMilestone(tx: CommandTransaction, milestone: NewMilestone): MilestoneEntity {
  const created = tx.em.create(MilestoneTable, {
    workspaceId: tx.workspaceId,
    revision: 1,
    status: 'pending',
    ...milestone,
    paymentDate: null,
    rejectionReason: null,
    paymentId: null,
    paymentSequence: 0,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.em.persist(created);
  return created;
}
