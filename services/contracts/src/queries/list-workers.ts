import type { EntityManager } from '@mikro-orm/postgresql';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Worker } from '../domain/worker.js';

/** Newest first. */
export async function listWorkers(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<Worker>> {
  const keyset = new Keyset({ list: 'workers', workspaceId, filters: { of: 'workers' }, ...page });
  const rows = await readComposed<Row>(em, keyset.statement(WORKERS, 'worker'));
  return keyset.page(rows, ({ id, name, email }) => ({ id, name, email }));
}

const WORKERS = part`select id, name, email, created_at as "createdAt", updated_at as "updatedAt" from worker`;

type Row = Worker & { createdAt: string; updatedAt: string };
