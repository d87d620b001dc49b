import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { part, readComposed } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Business } from '../domain/workspace.js';

/** A business' id is its workspace's: asked for under another workspace, it is not there. */
export function businessesById(em: EntityManager): Fetch<Business> {
  return async (keys) => {
    const own = keys.filter(({ workspaceId, id }) => workspaceId === id).map(({ id }) => id);
    if (own.length === 0) return new Map();
    const rows = await readComposed<Business>(em, part`${BUSINESSES} where id = any(${own}::uuid[])`);
    return new Map(
      rows.map((row) => [
        keyOf({ workspaceId: row.id, id: row.id }),
        { ...row, createdAt: toInstant(row.createdAt), updatedAt: toInstant(row.updatedAt) },
      ]),
    );
  };
}

const BUSINESSES = part`select id, name, country, kyb_status as "kybStatus",
    integration_enabled as "integrationEnabled", writes_enabled as "writesEnabled", created_at as "createdAt",
    updated_at as "updatedAt"
  from business`;
