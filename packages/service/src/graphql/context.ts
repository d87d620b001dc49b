import type { EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type Origin } from '@payroll/kernel';
import { columns, computed, read, sql, rawSql, type Sql, type View } from '@payroll/store';
import DataLoader from 'dataloader';
import type { DocumentNode } from 'graphql';

/** An entity's key: ids mean nothing outside the workspace of the verified token. */
export interface EntityKey {
  workspaceId: string;
  id: string;
}

/** Fetches many keys with one statement into a map by `keyOf(key)`; keys it has nothing for are absent. */
export type BatchFetch<Value> = (keys: readonly EntityKey[]) => Promise<ReadonlyMap<string, Value>>;

export function keyOf({ workspaceId, id }: EntityKey): string {
  // Postgres returns ids in lower case, even if the request had upper case.
  return `${workspaceId}/${id}`.toLowerCase();
}

/** Merges the loads of one batch of requests, also of different callers, into one statement per kind; nothing is cached. */
export class Loaders {
  private readonly byFetch = new Map<unknown, DataLoader<EntityKey, unknown>>();

  load<Value>(fetch: BatchFetch<Value>, key: EntityKey): Promise<Value | null> {
    let loader = this.byFetch.get(fetch);
    if (!loader) {
      loader = new DataLoader<EntityKey, unknown>(
        async (keys) => {
          const distinct = new Map(keys.map((each) => [keyOf(each), each]));
          const found = await fetch([...distinct.values()]);
          return keys.map((each) => found.get(keyOf(each)) ?? null);
        },
        { cache: false },
      );
      this.byFetch.set(fetch, loader);
    }
    return loader.load(key) as Promise<Value | null>;
  }
}

/** The resolvers' context: the origin from the actor token, and the batch's loaders. */
export interface SubgraphContext {
  origin: Origin;
  loaders: Loaders;
  /** Whether the caller may read everything that a document selects. */
  may: (document: DocumentNode) => boolean;
}

/** The thing with this id in the caller's workspace; null if it does not exist or the id is invalid. */
export async function loadById<Value>(
  context: SubgraphContext,
  fetch: BatchFetch<Value>,
  id: string,
): Promise<Value | null> {
  if (!isId(id)) return null;
  return await context.loaders.load(fetch, { workspaceId: context.origin.actor.workspaceId, id });
}

/** Finds rows of a view by their ids, with one statement per batch. */
export function byKeys<Table extends EntitySchemaWithMeta, Row extends { id: string }, Node>(
  em: EntityManager,
  { table, columns: shown, toNode }: Pick<View<Table, Row, Node>, 'table' | 'columns' | 'toNode'>,
): BatchFetch<Node> {
  const name = rawSql(table.tableName);
  const key = columns<EntitySchemaWithMeta<string, string, EntityKey>, 'workspaceId'>(table, 'workspaceId');
  return async (keys) => {
    const rows = await read(
      em,
      sql`select ${shown}, ${key} from ${name} where (${name}.workspace_id, ${name}.id) in (select * from ${keysOf(keys)})`,
    );
    return new Map(rows.map((row) => [keyOf(row), toNode(row)]));
  };
}

/** The column that says for which key a row of `ofKeys` is. */
export const ASKED_KEY = computed('key', 'text', sql`asked.workspace_id || '/' || asked.id`);

/**
 * Finds a value for each key from the rows that have it, with one statement per batch: it selects `ASKED_KEY` from
 * `asked (workspace_id, id)`. A key without rows, or whose value is null, is absent.
 */
export function ofKeys<Row extends { key: string }, Value>(
  em: EntityManager,
  select: (asked: Sql) => Sql<Row>,
  toValue: (rows: [Row, ...Row[]]) => Value | null,
): BatchFetch<Value> {
  return async (keys) => {
    const rows = await read(em, select(sql`${keysOf(keys)} as asked (workspace_id, id)`));
    const values = [...Map.groupBy(rows, ({ key }) => key)].map(
      ([key, group]) => [key, toValue(group as [Row, ...Row[]])] as const,
    );
    return new Map(values.filter((each): each is [string, Value] => each[1] !== null));
  };
}

/** The keys as rows of `(workspace_id, id)`. */
function keysOf(keys: readonly EntityKey[]): Sql {
  return sql`unnest(${keys.map(({ workspaceId }) => workspaceId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])`;
}
