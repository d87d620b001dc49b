import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor, ContractStatus } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
import type { ContractsRows } from '../store/schema.js';
import { CONTRACT_COLUMNS, toContract } from '../store/to-contract.js';

export interface ContractFilters {
  status?: ContractStatus | null;
  updatedSince?: string | null;
  includeDeleted?: boolean | null;
  /** Found for the principal that gave it only (public-api.md §4). */
  externalReference?: string | null;
  limit: number;
  cursor?: string | null;
}

export async function listContracts(
  em: EntityManager,
  actor: Actor,
  filters: ContractFilters,
): Promise<Page<Contract>> {
  const { status, includeDeleted, externalReference, updatedSince, limit, cursor } = filters;
  const { workspaceId, principalId } = actor;
  const principal = externalReference ? { principalId } : {};
  const keyset = new Keyset({
    workspaceId,
    filters: {
      status: status ?? null,
      includeDeleted: includeDeleted ?? false,
      externalReference: externalReference ?? null,
      ...principal,
    },
    limit,
    cursor,
    updatedSince,
  });
  const db = em.getKysely<ContractsRows>();
  let page = db.selectFrom('contract').where('workspace_id', '=', workspaceId).where(keyset.where('contract'));
  if (status) page = page.where('status', '=', status);
  if (!includeDeleted) page = page.where('deleted_at', 'is', null);
  if (externalReference) {
    page = page.where('created_by_principal', '=', principalId).where('external_reference', '=', externalReference);
  }
  const rows = await db
    .selectFrom(page.selectAll().orderBy(keyset.orderBy('contract')).limit(keyset.rowLimit).as('contract'))
    .leftJoin('worker', (join) =>
      join.onRef('worker.workspace_id', '=', 'contract.workspace_id').onRef('worker.id', '=', 'contract.worker_id'),
    )
    .select(CONTRACT_COLUMNS)
    .select(['worker.name as workerName'])
    .orderBy(keyset.orderBy('contract'))
    .execute();
  return keyset.page(rows, toContract);
}
