import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { sql } from 'kysely';
import type { Milestone } from '../domain/milestone.js';
import { listMilestones, type MilestoneFilters } from './list-milestones.js';

/** Asks contracts for the milestones a draft came with, if any, and makes them known here. */
export type FetchAgreed = (contractId: string, workspaceId: string) => Promise<void>;

/**
 * A page of a contract's milestones. A draft names its milestones before the event may have come here: such a read
 * fetches the event itself, so they are listed at once.
 * @throws DomainError `SERVICE_UNAVAILABLE` when they may be on their way and contracts cannot be asked.
 */
export async function milestonesOfContract(
  em: EntityManager,
  fetchAgreed: FetchAgreed,
  workspaceId: string,
  filters: MilestoneFilters,
): Promise<Page<Milestone>> {
  const page = await listMilestones(em, workspaceId, filters);
  const { contractId, cursor } = filters;
  if (page.nodes.length > 0 || cursor || !isId(contractId)) return page;
  if (await mayBeOnTheirWay(em, workspaceId, contractId)) await fetchAgreed(contractId, workspaceId);
  // Read again in any case: they may have come, or been fetched by another read, while this one looked.
  return await listMilestones(em, workspaceId, filters);
}

/** No milestone is here, and no event tells that people have taken the contract further since it was drafted. */
async function mayBeOnTheirWay(em: EntityManager, workspaceId: string, contractId: string): Promise<boolean> {
  const { rows } = await sql<{ settled: boolean }>`
    select exists (
      select from milestone where workspace_id = ${workspaceId} and contract_id = ${contractId}
    ) or exists (
      select from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and status <> 'draft'
    ) as settled`.execute(em.getKysely());
  return rows[0]?.settled === false;
}
