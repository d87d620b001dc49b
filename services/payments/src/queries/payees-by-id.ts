import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Payee } from '../domain/payee.js';
import type { PaymentsRows } from '../store/schema.js';
import { PAYEE_COLUMNS, toPayee } from '../store/to-payee.js';

export function payeesById(em: EntityManager): Fetch<Payee> {
  return async (keys) => {
    const rows = await em
      .getKysely<PaymentsRows>()
      .selectFrom('payee')
      .where(
        sql<boolean>`(workspace_id, id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(PAYEE_COLUMNS)
      .select('payee.workspace_id as workspaceId')
      .execute();
    return new Map(rows.map((row) => [keyOf(row), toPayee(row)]));
  };
}
