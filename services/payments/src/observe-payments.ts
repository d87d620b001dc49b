import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/runtime';
import { PAYOUT_ALARMS } from './domain/payout.js';
import { PayoutAttemptTable } from './store/money-tables.js';
import { PaymentTable } from './store/tables.js';

const COUNT = computed('count', 'int', sql`count(*)`);
const UNSETTLED = ['pending', 'processing', 'failed'] as const;

/** Leaves out settled payments, whose number only grows: their events are counted. */
export function observePayments(em: EntityManager): Disposable {
  return onScrape({
    name: 'payments',
    read: async () => {
      const unsettled = await read(
        em,
        sql`select ${columns(PaymentTable, 'status')}, ${COUNT} from payment
          where status in ('pending', 'processing', 'failed') group by status`,
      );
      for (const status of UNSETTLED) {
        metrics.unsettledPayments.set({ status }, unsettled.find((each) => each.status === status)?.count ?? 0);
      }
      const alarms = await read(
        em,
        sql`select ${columns(PayoutAttemptTable, 'alarm')}, ${COUNT} from payout_attempt
          where status in ('prepared', 'submitted') and alarm is not null group by alarm`,
      );
      const [unclaimed] = await read(em, sql`select ${COUNT} from unclaimed_order where status = 'open'`);
      metrics.payoutAlarms.set({ alarm: 'unclaimed_order' }, unclaimed!.count);
      for (const alarm of PAYOUT_ALARMS) {
        metrics.payoutAlarms.set({ alarm }, alarms.find((each) => each.alarm === alarm)?.count ?? 0);
      }
    },
    sets: [metrics.unsettledPayments, metrics.payoutAlarms],
  });
}
