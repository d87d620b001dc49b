import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { idempotencyKey } from '../domain/payout.js';
import type { PayoutMethod } from '../domain/payee.js';
import type { PayoutOrder } from './provider.js';

/** An attempt without a last word, taken to ask the provider about it. */
export interface OpenAttempt {
  workspaceId: string;
  paymentId: string;
  /** Whether it was ever taken before, so that the provider may know it. */
  isFirstLook: boolean;
  /** Whether the provider has said that it has it. */
  isSubmitted: boolean;
  order: PayoutOrder;
}

/** 15 s, which is longer than a provider is waited for; doubling with every look, at most 1 h. */
const LEASE = sql`least(interval '15 s' * power(2, least(looks, 10)), interval '1 h')`;

/**
 * Takes attempts that the provider should be asked about by now, by Postgres' clock. Those that another process is just taking are
 * left to it; its lease over, an attempt is taken again, by whomever: a crash anywhere needs no other remedy.
 */
export async function takeOpenAttempts(em: EntityManager, limit: number): Promise<OpenAttempt[]> {
  const { rows } = await sql<Row>`
    update payout_attempt set looks = looks + 1, look_at = clock_timestamp() + ${LEASE}
    where (workspace_id, payment_id, number) in (
      select workspace_id, payment_id, number from payout_attempt
      where status in ('prepared', 'submitted') and (look_at is null or look_at <= clock_timestamp())
      order by look_at nulls first limit ${limit} for update skip locked)
    returning workspace_id as "workspaceId", payment_id as "paymentId", number, looks, status,
      payout_method as "payoutMethod", destination, currency, amount`.execute(em.getKysely());
  return rows.map(toOpenAttempt);
}

interface Row {
  workspaceId: string;
  paymentId: string;
  number: number;
  looks: number;
  status: string;
  payoutMethod: PayoutMethod;
  destination: string;
  currency: string;
  amount: string;
}

function toOpenAttempt({ workspaceId, paymentId, number, looks, status, currency, amount, ...told }: Row): OpenAttempt {
  return {
    workspaceId,
    paymentId,
    isFirstLook: looks === 1,
    isSubmitted: status === 'submitted',
    order: {
      idempotencyKey: idempotencyKey({ paymentId, number }),
      attempt: number,
      amount: { amount, currency },
      ...told,
    },
  };
}
