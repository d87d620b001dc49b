import type { EntityManager } from '@mikro-orm/postgresql';
import { Keyset, type Page } from '@payroll/store';
import type { Worker } from '../domain/worker.js';
import type { ContractsRows } from '../store/schema.js';

/** Newest first. */
export async function listWorkers(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<Worker>> {
  const keyset = new Keyset({ workspaceId, filters: { of: 'workers' }, ...page });
  const rows = await em
    .getKysely<ContractsRows>()
    .selectFrom('worker')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('worker'))
    .select(['id', 'name', 'email', 'created_at as createdAt', 'updated_at as updatedAt'])
    .orderBy(keyset.orderBy('worker'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, ({ id, name, email }) => ({ id, name, email }));
}
