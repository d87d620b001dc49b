import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { MilestoneTable } from '../store/tables.js';
import { createMilestone } from './create-milestone.js';

/** The milestones of a draft become review's, pending. Those that are here already stay as they have become. */
export const applyAgreedMilestones = defineCommand(
  'milestones.apply-agreed',
  SYSTEM_ONLY,
  async (tx, { contractId, milestones }: EventBody<'contract.milestones-agreed'>): Promise<void> => {
    const { workspaceId } = tx;
    const ids = milestones.map(({ milestoneId }) => milestoneId);
    const here = await tx.em.find(MilestoneTable, { workspaceId, id: { $in: ids } }, { fields: ['id'] });
    const known = new Set(here.map(({ id }) => id));
    for (const { milestoneId: id, title, description, dueDate, sortOrder, amount } of milestones) {
      if (known.has(id)) continue;
      createMilestone(tx, { id, contractId, title, description, dueDate, sortOrder, ...amount });
      tx.audit('milestone.agreed', id, { contractId, amount });
    }
  },
);
