import type { EntityManager } from '@mikro-orm/postgresql';
import { type Fetch, keyOf, keysOf } from '@payroll/service';
import { columns, read, sql, type TableRow } from '@payroll/store';
import { AgreementTable } from './tables.js';

export type FixedText = TableRow<typeof AgreementTable>;

/** The frozen texts of contracts: the contract itself first, then its amendments in order. */
export function fixedTexts(em: EntityManager): Fetch<FixedText[]> {
  return async (keys) => {
    const rows = await read(
      em,
      sql`select ${columns(AgreementTable)} from agreement
        where (workspace_id, contract_id) in (select * from ${keysOf(keys)}) order by number`,
    );
    return Map.groupBy(rows, ({ workspaceId, contractId }) => keyOf({ workspaceId, id: contractId }));
  };
}
