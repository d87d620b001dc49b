import type { EntityManager } from '@mikro-orm/postgresql';
import { Money, type FailureReason } from '@payroll/kernel';
import { type Calendar, type EntityKey, keyOf, keysOf } from '@payroll/service';
import { as, columns, read, sql } from '@payroll/store';
import type { VerificationStatus } from '../domain/payee.js';
import { decidePayout } from '../domain/payout.js';
import { nowOf } from '../store/holds.js';
import { PaymentTable } from '../store/tables.js';

/**
 * Why a payout that began now would fail, from the stored contract and business data. Missing are payments that would
 * be paid, and those for which no payout can begin.
 */
export function obstaclesOfPayments(em: EntityManager, calendar: Calendar) {
  return async (keys: readonly EntityKey[]): Promise<Map<string, FailureReason>> => {
    const rows = await read(
      em,
      sql`select ${columns(PaymentTable, 'workspaceId', 'id', 'currency', 'gross', 'net')},
          ${as('verificationStatus', 'text?', sql`payee.verification_status`)},
          ${as('heldUntil', 'timestamptz?', sql`payee.held_until`)}, ${as('now', 'timestamptz', nowOf(calendar))},
          ${as('kybStatus', 'text?', sql`business.kyb_status`)}, ${as('available', 'text?', sql`account.balance`)}
        from ${keysOf(keys)} as asked (workspace_id, id)
        join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id
        left join contract_worker on contract_worker.workspace_id = payment.workspace_id
          and contract_worker.contract_id = payment.contract_id
        left join payee on payee.workspace_id = payment.workspace_id and payee.worker_id = contract_worker.worker_id
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
