import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { ASKED_KEY, type BatchFetch, ofKeys } from '@payroll/service';
import { computed, list, type Page, type Paging, read, sql, rawSql, type View } from '@payroll/store';
import { type Milestone, milestones } from '../store/views.js';
import type { MilestoneTable, TimesheetTable } from '../store/tables.js';

interface MilestoneFilters extends Paging {
  contractId?: string | null;
  status?: Milestone['status'] | null;
}

/**
 * A page of milestones. Those of a draft can be read before their event arrives: such a read of the contract's
 * milestones fetches the event itself.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the event may still arrive and contracts cannot be reached.
 */
export async function listMilestones(
  em: EntityManager,
  fetchAgreed: (contractId: string, workspaceId: string) => Promise<unknown>,
  workspaceId: string,
  { contractId, status, ...page }: MilestoneFilters,
): Promise<Page<Milestone>> {
  const ask = () => list(em, milestones, { workspaceId, where: { contractId, status }, ...page });
  const first = await ask();
  if (first.nodes.length > 0 || page.cursor || !contractId || !isId(contractId)) return first;
  if (await mayStillArrive(em, workspaceId, contractId)) await fetchAgreed(contractId, workspaceId);
  // Query again in any case: another read may have applied the event in the meantime.
  return await ask();
}

/**
 * True if no milestone is stored and no event says that the contract has left the draft state; drafts have no event
 * of their own.
 */
async function mayStillArrive(em: EntityManager, workspaceId: string, contractId: string): Promise<boolean> {
  const settled = sql`exists (
      select from milestone where workspace_id = ${workspaceId} and contract_id = ${contractId}
    ) or exists (
      select from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and status <> 'draft'
    )`;
  const [row] = await read(em, sql`select ${computed('settled', 'boolean', settled)}`);
  return row?.settled === false;
}

/** Per contract; the lists with `contractId` return the rest. */
const NEWEST = 50;

export function newestOfContracts<
  Table extends typeof TimesheetTable | typeof MilestoneTable,
  Row extends object,
  Work,
>(em: EntityManager, { table, columns, toNode }: View<Table, Row, Work>): BatchFetch<Work[]> {
  const work = rawSql(table.tableName);
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${columns} from ${asked}
        cross join lateral (
          select * from ${work}
          where ${work}.workspace_id = asked.workspace_id and ${work}.contract_id = asked.id
          order by created_at desc, id desc limit ${NEWEST}
        ) ${work}
        order by ${work}.created_at desc, ${work}.id desc`,
    (rows) => rows.map(toNode),
  );
}
