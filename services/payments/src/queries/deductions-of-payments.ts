import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import type { EntityKey, Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Deduction } from '../domain/payment.js';
import { groupByPayment } from './group-by-payment.js';

/** The deductions of each payment in the order they were made, by one statement for all payments asked for together. */
export function deductionsOfPayments(em: EntityManager): Fetch<Deduction[]> {
  return async (keys) => {
    const { rows } = await sql<Row>`
      select d.workspace_id as "workspaceId", d.payment_id as "paymentId", d.id, d.name, payment.currency, d.amount,
        d.created_at as "createdAt"
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
        as asked (workspace_id, payment_id)
      join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.payment_id
      join deduction d on d.workspace_id = asked.workspace_id and d.payment_id = asked.payment_id
      order by d.id`.execute(em.getKysely());
    return groupByPayment(rows, ({ id, paymentId, name, amount, currency, createdAt }) => ({
      id,
      paymentId,
      name,
      amount: { amount, currency },
      createdAt: toInstant(createdAt),
    }));
  };
}

interface Row extends EntityKey {
  paymentId: string;
  name: string;
  currency: string;
  amount: string;
  createdAt: string;
}
