import type { EntityManager } from '@mikro-orm/postgresql';
import { type FailureReason, type Instant, Money } from '@payroll/kernel';
import { type Calendar, type EntityKey, keyOf, keysOf } from '@payroll/service';
import { computed, columns, read, sql, type Sql } from '@payroll/store';
import type { PaymentHold } from '../domain/payment.js';
import { IS_HELD_BY_ORDER, nowOf, openHold, WITH_PAYEE } from '../store/holds.js';
import type { VerificationStatus } from '../domain/payee.js';
import { decidePayout } from '../domain/payout.js';
import { PayeeTable, PaymentTable } from '../store/tables.js';

/** Until when a pending payment waits because the details of its payee have changed; null if it does not. As `HELD_BY`. */
export const waitsUntil = (calendar: Calendar): Sql =>
  sql`case when payment.status = 'pending' then ${openHold(calendar)} end`;

/** Needs `payment` and `WITH_PAYEE`. */
export const HELD_BY = sql`case
  when payment.status = 'processing' and exists (
    select from payout_attempt a where a.workspace_id = payment.workspace_id and a.payment_id = payment.id
      and a.status in ('prepared', 'submitted') and a.alarm is not null) then 'payout_alarm'
  when payment.status in ('pending', 'failed') and ${IS_HELD_BY_ORDER} then 'unclaimed_order'
  end`;

/**
 * The reason why each payment is held until two people of finance decide. Payments that are not held are missing.
 */
export function holdsOfPayments(em: EntityManager) {
  return async (keys: readonly EntityKey[]): Promise<Map<string, PaymentHold>> => {
    const rows = await read(
      em,
      sql`select ${columns(PaymentTable, 'workspaceId', 'id')}, ${computed('heldBy', 'text?', HELD_BY)}
        from ${keysOf(keys)} as asked (workspace_id, id)
        join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id
        ${WITH_PAYEE}
        where payment.status in ('pending', 'processing', 'failed')`,
    );
    return new Map(
      rows.flatMap(({ heldBy, ...key }) => (heldBy ? [[keyOf(key), heldBy as PaymentHold] as const] : [])),
    );
  };
}

/** Until when payments wait because the details of their payees have changed. Other payments are missing. */
export function waitsOfPayments(em: EntityManager, calendar: Calendar) {
  return async (keys: readonly EntityKey[]): Promise<Map<string, Instant>> => {
    const rows = await read(
      em,
      sql`select ${columns(PaymentTable, 'workspaceId', 'id')}, ${computed('waitsUntil', 'timestamptz?', waitsUntil(calendar))}
        from ${keysOf(keys)} as asked (workspace_id, id)
        join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id
        ${WITH_PAYEE}`,
    );
    return new Map(rows.flatMap(({ waitsUntil: until, ...key }) => (until ? [[keyOf(key), until] as const] : [])));
  };
}

/** Until when nothing is paid to details that were changed. Payees without such a hold are missing. */
export function holdsOfPayees(em: EntityManager, calendar: Calendar) {
  return async (keys: readonly EntityKey[]): Promise<Map<string, Instant>> => {
    const rows = await read(
      em,
      sql`select ${columns(PayeeTable, 'workspaceId', 'id')}, ${computed('heldUntil', 'timestamptz?', openHold(calendar))}
        from ${keysOf(keys)} as asked (workspace_id, id)
        join payee on payee.workspace_id = asked.workspace_id and payee.id = asked.id`,
    );
    return new Map(rows.flatMap(({ heldUntil, ...key }) => (heldUntil ? [[keyOf(key), heldUntil] as const] : [])));
  };
}

/**
 * Why a payout that began now would fail, from the stored contract and business data. Missing are payments that would
 * be paid, and those for which no payout can begin.
 */
export function obstaclesOfPayments(em: EntityManager, calendar: Calendar) {
  return async (keys: readonly EntityKey[]): Promise<Map<string, FailureReason>> => {
    const rows = await read(
      em,
      sql`select ${columns(PaymentTable, 'workspaceId', 'id', 'currency', 'gross', 'net')},
          ${computed('verificationStatus', 'text?', sql`payee.verification_status`)},
          ${computed('heldUntil', 'timestamptz?', sql`payee.held_until`)}, ${computed('now', 'timestamptz', nowOf(calendar))},
          ${computed('kybStatus', 'text?', sql`business.kyb_status`)}, ${computed('available', 'text?', sql`account.balance`)}
        from ${keysOf(keys)} as asked (workspace_id, id)
        join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id
        ${WITH_PAYEE}
        left join business on business.workspace_id = payment.workspace_id
        left join ledger_account account on account.workspace_id = payment.workspace_id
          and account.account = 'available' and account.currency = payment.currency
        where payment.status in ('pending', 'failed')`,
    );
    return new Map(
      rows.flatMap(({ workspaceId, id, now, currency, gross, net, kybStatus, available, ...payee }) => {
        const verificationStatus = payee.verificationStatus as VerificationStatus | null;
        const decision = decidePayout({
          now,
          payee: verificationStatus === null ? null : { ...payee, verificationStatus },
          kybStatus,
          available: Money.stored(available ?? '0', currency),
          gross: Money.stored(gross, currency),
          net: Money.stored(net, currency),
        });
        return decision.kind === 'refuse' ? [[keyOf({ workspaceId, id }), decision.reason] as const] : [];
      }),
    );
  };
}
