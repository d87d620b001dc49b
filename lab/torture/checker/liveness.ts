import { connected } from '@payroll/infra/postgres/bootstrap';
import { SERVICES } from '@payroll/kernel';
import { runConsistencyChecks } from '@payroll/tools/operate/judge';
import { UNCOMPARED_ORDERS } from '@payroll/tools/operate/judgements';
import { until } from '../../until.js';
import type { Clients } from '../clients/clients.js';
import { endOpenOrders } from '../clients/application.js';
import type { Finding } from './operations.js';

/** After everything was healed. */
const DRAINED_WITHIN_MS = 60_000;

/** Work in progress, and orders that people of finance have to end. */
const UNDER_WAY = `
  ${SERVICES.map((each) => `select '${each} waits for ' || consumer as what from ${each}.outbox_delivery`).join(' union all ')}
  union all select concat_ws(', ', format('payment %s is due', payment.id), reason) from payments.payment
    left join payments.deferred_work deferred on deferred.id = payment.id
    where status = 'pending' and auto_pay_enabled and coalesce(scheduled_date, '-infinity') <= (now() at time zone 'UTC')::date
  union all ${UNCOMPARED_ORDERS}
  union all select format('order %s is unclaimed', idempotency_key) from payments.unclaimed_order where status = 'open'
  union all select format('payment %s is being processed, and nobody was told why it stays so', id) from payments.payment
    where status = 'processing' and not exists (
      select from payments.payout_attempt attempt where attempt.payment_id = payment.id and alarm is not null)`;

interface Drained {
  tookMs: number;
  findings: Finding[];
}

/**
 * Expects a healthy system a minute after healing: every process ready, no work in progress, reconcile without
 * findings.
 */
export async function drained(clients: Clients): Promise<Drained> {
  const { stack, instances, database, tenants } = clients.system;
  const startedAt = performance.now();
  const readiness = await Promise.allSettled(instances.map((each) => each.ready()));
  const missing = readiness.flatMap((each, n) =>
    each.status === 'rejected' ? [`${instances[n]!.name}: ${String(each.reason)}`] : [],
  );
  let left: { what: string }[] = [];
  const isDone = async (): Promise<boolean> => {
    left = await database.rows<{ what: string }>(UNDER_WAY);
    if (left.length > 0) await Promise.allSettled(tenants.map((tenant) => endOpenOrders(clients, tenant)));
    return left.length === 0;
  };
  await until(isDone, { everyMs: 500, withinMs: DRAINED_WITHIN_MS - (performance.now() - startedAt) });
  const tookMs = performance.now() - startedAt;
  const findings = [
    { rule: 'every process is ready', what: missing },
    { rule: 'a minute after healing nothing is under way', what: left.map(({ what }) => what) },
    ...(await reconciled(stack.database.ownerUrl)),
  ];
  return { tookMs, findings: findings.filter(({ what }) => what.length > 0) };
}

async function reconciled(ownerUrl: string): Promise<Finding[]> {
  const results = await connected(ownerUrl, (client) => runConsistencyChecks(client));
  return results.map(({ sentence, examples }) => ({ rule: `reconcile: ${sentence}`, what: examples }));
}
