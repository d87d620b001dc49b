import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type MilestoneStatus } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Milestone } from '../domain/milestone.js';
import type { ReviewRows } from '../store/schema.js';
import { MILESTONE_COLUMNS, toMilestone } from '../store/to-milestone.js';

export interface MilestoneFilters {
  contractId: string;
  status?: MilestoneStatus | null;
  limit: number;
  cursor?: string | null;
}

export async function listMilestones(
  em: EntityManager,
  workspaceId: string,
  { contractId, status, limit, cursor }: MilestoneFilters,
): Promise<Page<Milestone>> {
  const keyset = new Keyset({ workspaceId, filters: { contractId, status: status ?? null }, limit, cursor });
  if (!isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  let query = em
    .getKysely<ReviewRows>()
    .selectFrom('milestone')
    .where('workspace_id', '=', workspaceId)
    .where('contract_id', '=', contractId)
    .where(keyset.where('milestone'));
  if (status) query = query.where('status', '=', status);
  const rows = await query
    .select(MILESTONE_COLUMNS)
    .orderBy(keyset.orderBy('milestone'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, toMilestone);
}
