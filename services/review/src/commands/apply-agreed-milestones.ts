import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { MilestoneTable } from '../store/tables.js';
import { createMilestone } from './plan-milestone.js';
import { type MilestoneEntity, touch } from './find-work.js';

type Agreed = EventBody<'contract.milestones-agreed'>['milestones'][number];

/**
 * The milestones of a draft become review's, pending. Those that are here already stay as they have become, unless the
 * draft was corrected since: what is agreed anew holds until it is approved.
 */
export const applyAgreedMilestones = defineCommand(
  'milestones.apply-agreed',
  SYSTEM_ONLY,
  async (tx, { contractId, milestones, agreements = {} }: EventBody<'contract.milestones-agreed'>): Promise<void> => {
    const { workspaceId } = tx;
    const ids = milestones.map(({ milestoneId }) => milestoneId);
    const here = await tx.em.find(MilestoneTable, { workspaceId, id: { $in: ids } });
    const known = new Map(here.map((milestone) => [milestone.id, milestone]));
    for (const agreed of milestones) {
      const milestone = known.get(agreed.milestoneId);
      const agreement = agreements[agreed.milestoneId] ?? 0;
      if (milestone) agreeAnew(tx, milestone, agreed, agreement);
      else create(tx, contractId, agreed, agreement);
    }
  },
);

function create(tx: CommandTransaction, contractId: string, agreed: Agreed, agreement: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  createMilestone(tx, { id, contractId, ...details, agreement, ...amount });
  tx.audit('milestone.agreed', id, { contractId, amount });
}

function agreeAnew(tx: CommandTransaction, milestone: MilestoneEntity, agreed: Agreed, agreement: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  if (agreement <= milestone.agreement || milestone.paymentId !== null) return;
  Object.assign(milestone, { ...details, agreement, ...amount });
  touch(tx, milestone);
  tx.audit('milestone.agreed-anew', id, { ...details, amount });
}
