import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Worker } from '../domain/worker.js';

export function workersById(em: EntityManager): Fetch<Worker> {
  return async (keys) => {
    const rows = await readByKeys<Worker>(em, 'worker', part`worker.id, worker.name, worker.email`, keys);
    return new Map(rows.map(({ workspaceId, ...worker }) => [keyOf({ workspaceId, id: worker.id }), worker]));
  };
}
