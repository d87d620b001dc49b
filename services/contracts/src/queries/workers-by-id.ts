import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Worker } from '../domain/worker.js';
import type { ContractsRows } from '../store/schema.js';

export function workersById(em: EntityManager): Fetch<Worker> {
  return async (keys) => {
    const rows = await em
      .getKysely<ContractsRows>()
      .selectFrom('worker')
      .where(
        sql<boolean>`(workspace_id, id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(['workspace_id as workspaceId', 'id', 'name', 'email'])
      .execute();
    return new Map(rows.map(({ workspaceId, ...worker }) => [keyOf({ workspaceId, id: worker.id }), worker]));
  };
}
