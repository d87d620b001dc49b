import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { PayoutMethod } from '../domain/payee.js';
import type { AttemptStatus, PayoutAlarm } from '../domain/payout.js';
import type { PayoutOrder } from './provider.js';

/** An attempt without a last word, taken to ask the provider about it. */
export interface OpenAttempt {
  workspaceId: string;
  paymentId: string;
  /** Whether it was ever taken before, so that the provider may know it. */
  isFirstLook: boolean;
  status: AttemptStatus;
  alarm: PayoutAlarm | null;
  order: PayoutOrder;
}

/** 15 s, which is longer than a provider is waited for; doubling with every look, at most 1 h. */
const LEASE = sql`least(interval '15 s' * power(2, least(looks, 10)), interval '1 h')`;

/** Under which the version before submitted its attempts; some are without a stored one. */
const KEY = sql`coalesce(idempotency_key, payment_id || ':' || number)`;

/**
 * Takes attempts that the provider should be asked about by now, by Postgres' clock. Those that another process is just
 * taking are left to it; its lease over, an attempt is taken again, by whomever: a crash anywhere needs no other remedy.
 */
export async function takeOpenAttempts(em: EntityManager, limit: number): Promise<OpenAttempt[]> {
  const { rows } = await sql<Row>`
    update payout_attempt set looks = looks + 1, ask_at = clock_timestamp() + ${LEASE}
    where (workspace_id, payment_id, number) in (
      select workspace_id, payment_id, number from payout_attempt
      where status in ('prepared', 'submitted') and (ask_at is null or ask_at <= clock_timestamp())
      order by ask_at nulls first limit ${limit} for update skip locked)
    returning workspace_id as "workspaceId", payment_id as "paymentId", number, looks, status, alarm,
      ${KEY} as "idempotencyKey", payout_method as "payoutMethod", destination, currency, amount`.execute(
    em.getKysely(),
  );
  return rows.map(({ workspaceId, paymentId, number, looks, status, alarm, currency, amount, ...told }) => ({
    ...{ workspaceId, paymentId, isFirstLook: looks === 1, status, alarm },
    order: { ...told, attempt: number, amount: { amount, currency } },
  }));
}

interface Row {
  workspaceId: string;
  paymentId: string;
  number: number;
  looks: number;
  status: AttemptStatus;
  alarm: PayoutAlarm | null;
  idempotencyKey: string;
  payoutMethod: PayoutMethod;
  destination: string;
  currency: string;
  amount: string;
}
