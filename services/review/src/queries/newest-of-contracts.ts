import type { EntityManager } from '@mikro-orm/postgresql';
import { type Fetch, keyOf, keysOf } from '@payroll/service';
import { read, sql, verbatim, type View } from '@payroll/store';
import type { MilestoneTable, TimesheetTable } from '../store/tables.js';

/** Per contract; the lists with `contractId` return the rest. */
const NEWEST = 50;

export function newestOfContracts<
  Table extends typeof TimesheetTable | typeof MilestoneTable,
  Row extends { contractId: string },
  Work,
>(em: EntityManager, { table, columns, toNode }: View<Table, Row, Work>): Fetch<Work[]> {
  const work = verbatim(table.tableName);
  const workspaceId = verbatim<{ workspaceId: string }>('asked.workspace_id as "workspaceId"');
  return async (keys) => {
    const rows = await read(
      em,
      sql`select ${columns}, ${workspaceId} from ${keysOf(keys)} as asked (workspace_id, contract_id)
        cross join lateral (
          select * from ${work}
          where ${work}.workspace_id = asked.workspace_id and ${work}.contract_id = asked.contract_id
          order by created_at desc, id desc limit ${NEWEST}
        ) ${work}
        order by ${work}.created_at desc, ${work}.id desc`,
    );
    const groups = Map.groupBy(rows, (row) => keyOf({ workspaceId: row.workspaceId, id: row.contractId }));
    return new Map([...groups].map(([key, group]) => [key, group.map(toNode)]));
  };
}
