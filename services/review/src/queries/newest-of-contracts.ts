import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readComposed, type Part } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';

/** Of each contract; more are read from the lists with their `contractId`. */
const NEWEST = 50;

interface OfContract {
  workspaceId: string;
  contractId: string;
}

/** The newest work of each contract, from `table` with its columns, by one statement for all contracts asked for together. */
export function newestOfContracts<Row extends { contractId: string }, Work>(
  em: EntityManager,
  { table, columns, toWork }: { table: Part; columns: Part; toWork: (row: Row) => Work },
): Fetch<Work[]> {
  return async (keys) => {
    const rows = await readComposed<Row & OfContract>(
      em,
      part`select ${columns}, asked.workspace_id as "workspaceId"
        from unnest(${keys.map(({ workspaceId }) => workspaceId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
          as asked (workspace_id, contract_id)
        cross join lateral (
          select * from ${table}
          where ${table}.workspace_id = asked.workspace_id and ${table}.contract_id = asked.contract_id
          order by created_at desc, id desc limit ${NEWEST}
        ) ${table}
        order by ${table}.created_at desc, ${table}.id desc`,
    );
    const groups = Map.groupBy(rows, ({ workspaceId, contractId }) => keyOf({ workspaceId, id: contractId }));
    return new Map([...groups].map(([key, group]) => [key, group.map(toWork)]));
  };
}
