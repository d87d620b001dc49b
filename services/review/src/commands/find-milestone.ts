import { LockMode, type InferEntity } from '@mikro-orm/core';
import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { MilestoneTable } from '../store/tables.js';

export type MilestoneEntity = InferEntity<typeof MilestoneTable>;

/** The milestone, locked until commit. */
export async function findMilestone({ em, workspaceId }: CommandTransaction, id: string): Promise<MilestoneEntity> {
  const milestone = isId(id)
    ? await em.findOne(MilestoneTable, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!milestone) throw notFound('The milestone');
  return milestone;
}
