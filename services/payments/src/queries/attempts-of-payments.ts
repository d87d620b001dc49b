import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import type { Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { MoneyValue } from '../domain/values.js';
import type { PayoutAttempt } from '../domain/payout.js';
import { groupByPayment } from './group-by-payment.js';

/** The payout attempts of each payment, first one first, by one statement for all payments asked for together. */
export function attemptsOfPayments(em: EntityManager): Fetch<PayoutAttempt[]> {
  return async (keys) => {
    const { rows } = await sql<Row>`
      select a.workspace_id as "workspaceId", a.payment_id as "paymentId", a.number, a.status, a.payee_id as "payeeId",
        a.payout_method as "payoutMethod", a.currency, a.amount, a.provider_reference as "providerReference", a.alarm,
        a.created_at as "createdAt", a.updated_at as "updatedAt"
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
        as asked (workspace_id, payment_id)
      join payout_attempt a on a.workspace_id = asked.workspace_id and a.payment_id = asked.payment_id
      order by a.number`.execute(em.getKysely());
    return groupByPayment(rows, (row) => ({
      paymentId: row.paymentId,
      number: row.number,
      status: row.status,
      payeeId: row.payeeId,
      payoutMethod: row.payoutMethod,
      amount: { amount: row.amount, currency: row.currency },
      providerReference: row.providerReference,
      alarm: row.alarm,
      createdAt: toInstant(row.createdAt),
      updatedAt: toInstant(row.updatedAt),
    }));
  };
}

type Row = Omit<PayoutAttempt, 'amount'> & MoneyValue & { workspaceId: string };
