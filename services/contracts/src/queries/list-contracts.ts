import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor, ContractStatus } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
import { CONTRACT_COLUMNS, toContract, type ContractRow } from '../store/to-contract.js';

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
    list: 'contracts',
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
  const statement = keyset.statement(part`select ${CONTRACT_COLUMNS} from contract`, 'contract', [
    status && part`status = ${status}`,
    !includeDeleted && part`deleted_at is null`,
    externalReference && part`created_by_principal = ${principalId} and external_reference = ${externalReference}`,
  ]);
  const rows = await readComposed<ContractRow>(em, statement);
  return keyset.page(rows, toContract);
}
