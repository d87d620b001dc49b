import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Payment } from '../domain/payment.js';
import type { PaymentsRows } from '../store/schema.js';
import { PAYMENT_COLUMNS, toPayment } from '../store/to-payment.js';

export function paymentsById(em: EntityManager): Fetch<Payment> {
  return async (keys) => {
    const rows = await em
      .getKysely<PaymentsRows>()
      .selectFrom('payment')
      .where(
        sql<boolean>`(workspace_id, id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(PAYMENT_COLUMNS)
      .select('payment.workspace_id as workspaceId')
      .execute();
    return new Map(rows.map((row) => [keyOf(row), toPayment(row)]));
  };
}
