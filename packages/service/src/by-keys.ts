import type { EntityManager } from '@mikro-orm/postgresql';
import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import { columns, read, sql, verbatim, type View } from '@payroll/store';
import { keyOf, type EntityKey, type Fetch } from './graphql/context.js';

/** Finds rows of a view by their ids, with one statement per batch. */
export function byKeys<Table extends EntitySchemaWithMeta, Row extends { id: string }, Node>(
  em: EntityManager,
  { table, columns: shown, toNode }: Pick<View<Table, Row, Node>, 'table' | 'columns' | 'toNode'>,
): Fetch<Node> {
  const name = verbatim(table.tableName);
  const key = columns<EntitySchemaWithMeta<string, string, EntityKey>, 'workspaceId'>(table, 'workspaceId');
  return async (keys) => {
    const rows = await read(
      em,
      sql`select ${shown}, ${key} from ${name} where (${name}.workspace_id, ${name}.id) in (select * from ${keysOf(keys)})`,
    );
    return new Map(rows.map((row) => [keyOf(row), toNode(row)]));
  };
}

/** The keys as rows of `(workspace_id, id)`. */
export function keysOf(keys: readonly EntityKey[]): ReturnType<typeof sql> {
  return sql`unnest(${keys.map(({ workspaceId }) => workspaceId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])`;
}
