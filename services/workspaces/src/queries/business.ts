import type { EntityManager } from '@mikro-orm/postgresql';
import { columnsExcept, read, sql } from '@payroll/store';
import { type BatchFetch, keyOf } from '@payroll/service';
import { BusinessTable } from '../store/tables.js';
import type { Business } from '../store/views.js';

/** A business has the id of its workspace; under another workspace it is not found. */
export function businessesById(em: EntityManager): BatchFetch<Business> {
  return async (keys) => {
    const own = keys.filter(({ workspaceId, id }) => workspaceId === id).map(({ id }) => id);
    if (own.length === 0) return new Map();
    const one = sql`select ${columnsExcept(BusinessTable, 'revision')} from business where id = any(${own}::uuid[])`;
    return new Map((await read(em, one)).map((row) => [keyOf({ workspaceId: row.id, id: row.id }), row]));
  };
}
