import { setTimeout as pause } from 'node:timers/promises';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { ordersOf } from '@payroll/tests/support/provider-orders';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { type ConsistencyResult, describeVerdict, runConsistencyChecks } from '@payroll/tools/operate/judge';
import type { Clients } from './load.js';

export interface Told {
  clients: Clients;
  /** A superuser's, of the database payroll. */
  databaseUrl: string;
  /** Work of which a loss or a second payment is reported already. */
  reported: Set<string>;
}

const RECONCILED_WITHIN_MS = 90_000;

/** Compares the clients' answers with the database, and adds the findings of reconcile. */
export async function compare(
  { clients, databaseUrl, reported }: Told,
  provider: StackFile['provider'],
  findings: string[],
) {
  return await connected(databaseUrl, async (client) => {
    const until = performance.now() + RECONCILED_WITHIN_MS;
    let verdicts: ConsistencyResult[];
    do {
      await pause(500);
      verdicts = (await runConsistencyChecks(client)).filter((each) => each.findings > 0);
    } while (verdicts.length > 0 && performance.now() < until);
    findings.push(...verdicts.map(describeVerdict));
    const told = clients.acknowledged;
    const { rows: lost } = await client.query<{ id: string }>(
      `select told.id from unnest($1::uuid[], $2::uuid[]) as told (id, payment_id)
        where not exists (select from payments.payment where payment.id = told.payment_id and source_id = told.id)`,
      [told.map(({ piece }) => piece.id), told.map(({ paymentId }) => paymentId)],
    );
    const { rows: doubled } = await client.query<{ id: string }>(
      'select source_id as id from payments.payment group by source_id having count(*) > 1',
    );
    // No two pieces of work have the same amount.
    const settled = (await ordersOf(provider)).filter(({ state }) => state === 'settled');
    const paidTwice = [...Map.groupBy(settled, ({ amount, currency }) => `${Number(amount)} ${currency}`)]
      .filter(([, orders]) => orders.length > 1)
      .map(([amount]) => amount);
    const newOnes = (ids: string[]): number => ids.filter((id) => !reported.has(id) && reported.add(id)).length;
    return {
      lost: newOnes(lost.map(({ id }) => `lost ${id}`)),
      paidTwice: newOnes([...doubled.map(({ id }) => `doubled ${id}`), ...paidTwice]),
    };
  });
}
