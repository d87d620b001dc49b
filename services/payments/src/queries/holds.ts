import type { EntityManager } from '@mikro-orm/postgresql';
import { type FailureReason, type Instant, Money } from '@payroll/kernel';
import { ASKED_KEY, type BatchFetch, type Calendar, ofKeys } from '@payroll/service';
import { computed, columns, sql, type Sql } from '@payroll/store';
import type { PaymentHold } from '../domain/payment.js';
import { IS_HELD_BY_ORDER, nowOf, openHold, WITH_PAYEE } from '../store/holds.js';
import type { VerificationStatus } from '../domain/payee.js';
import { decidePayout } from '../domain/payout.js';
import { PaymentTable } from '../store/tables.js';

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

const ASKED_PAYMENT = sql`join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id`;

/**
 * The reason why each payment is held until two people of finance decide. Payments that are not held are missing.
 */
export function holdsOfPayments(em: EntityManager): BatchFetch<PaymentHold> {
  const heldBy = computed('heldBy', 'text?', HELD_BY);
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${heldBy} from ${asked} ${ASKED_PAYMENT} ${WITH_PAYEE}
      where payment.status in ('pending', 'processing', 'failed')`,
    ([row]) => row.heldBy as PaymentHold | null,
  );
}

/** Until when payments wait because the details of their payees have changed. Other payments are missing. */
export function waitsOfPayments(em: EntityManager, calendar: Calendar): BatchFetch<Instant> {
  const until = computed('until', 'timestamptz?', waitsUntil(calendar));
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${until} from ${asked} ${ASKED_PAYMENT} ${WITH_PAYEE}`,
    ([row]) => row.until,
  );
}

/** Until when nothing is paid to details that were changed. Payees without such a hold are missing. */
export function holdsOfPayees(em: EntityManager, calendar: Calendar): BatchFetch<Instant> {
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${computed('until', 'timestamptz?', openHold(calendar))} from ${asked}
      join payee on payee.workspace_id = asked.workspace_id and payee.id = asked.id`,
    ([row]) => row.until,
  );
}

/**
 * Why a payout that began now would fail, from the stored contract and business data. Missing are payments that would
 * be paid, and those for which no payout can begin.
 */
export function obstaclesOfPayments(em: EntityManager, calendar: Calendar): BatchFetch<FailureReason> {
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${columns(PaymentTable, 'currency', 'gross', 'net')},
        ${computed('verificationStatus', 'text?', sql`payee.verification_status`)},
        ${computed('heldUntil', 'timestamptz?', sql`payee.held_until`)}, ${computed('now', 'timestamptz', nowOf(calendar))},
        ${computed('kybStatus', 'text?', sql`business.kyb_status`)}, ${computed('available', 'text?', sql`account.balance`)}
      from ${asked} ${ASKED_PAYMENT} ${WITH_PAYEE}
      left join business on business.workspace_id = payment.workspace_id
      left join ledger_account account on account.workspace_id = payment.workspace_id
        and account.account = 'available' and account.currency = payment.currency
      where payment.status in ('pending', 'failed')`,
    ([{ currency, now, kybStatus, heldUntil, ...row }]) => {
      const verificationStatus = row.verificationStatus as VerificationStatus | null;
      const decision = decidePayout({
        now,
        payee: verificationStatus === null ? null : { heldUntil, verificationStatus },
        kybStatus,
        available: Money.stored(row.available ?? '0', currency),
        gross: Money.stored(row.gross, currency),
        net: Money.stored(row.net, currency),
      });
      return decision.kind === 'refuse' ? decision.reason : null;
    },
  );
}
