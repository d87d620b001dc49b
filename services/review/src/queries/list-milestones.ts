import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type MilestoneStatus } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Milestone } from '../domain/milestone.js';
import { MILESTONE_COLUMNS, toMilestone, type MilestoneRow } from '../store/to-milestone.js';

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
  const keyset = new Keyset({
    list: 'milestones',
    workspaceId,
    filters: { contractId, status: status ?? null },
    limit,
    cursor,
  });
  if (!isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(part`select ${MILESTONE_COLUMNS} from milestone`, 'milestone', [
    part`contract_id = ${contractId}`,
    status && part`status = ${status}`,
  ]);
  const rows = await readComposed<MilestoneRow>(em, statement);
  return keyset.page(rows, toMilestone);
}
