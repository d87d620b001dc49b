import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readComposed, type Part } from './composed.js';
import { verbatim } from './sql.js';

/** Ids mean nothing outside their workspace. */
interface Key {
  workspaceId: string;
  id: string;
}

/** The rows of a table that have one of the keys, in no order. */
export async function readByKeys<Row extends { id: string }>(
  em: EntityManager,
  table: string,
  columns: Part,
  keys: readonly Key[],
): Promise<(Row & Key)[]> {
  const name = verbatim(table);
  return await readComposed<Row & Key>(
    em,
    part`select ${columns}, ${name}.workspace_id as "workspaceId" from ${name}
      where (${name}.workspace_id, ${name}.id) in (select * from unnest(
        ${keys.map(({ workspaceId }) => workspaceId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]))`,
  );
}
