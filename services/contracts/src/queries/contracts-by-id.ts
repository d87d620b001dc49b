import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Contract } from '../domain/contract.js';
import type { ContractsRows } from '../store/schema.js';
import { CONTRACT_COLUMNS, toContract } from '../store/to-contract.js';

/** Contracts by key, tombstones included. */
export function contractsById(em: EntityManager): Fetch<Contract> {
  return async (keys) => {
    const rows = await em
      .getKysely<ContractsRows>()
      .selectFrom('contract')
      .leftJoin('worker', (join) =>
        join.onRef('worker.workspace_id', '=', 'contract.workspace_id').onRef('worker.id', '=', 'contract.worker_id'),
      )
      .where(
        sql<boolean>`(contract.workspace_id, contract.id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(CONTRACT_COLUMNS)
      .select(['worker.name as workerName', 'contract.workspace_id as workspaceId'])
      .execute();
    return new Map(rows.map((row) => [keyOf(row), toContract(row)]));
  };
}
