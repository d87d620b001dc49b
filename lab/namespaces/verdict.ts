import { connected } from '@payroll/infra/postgres/bootstrap';
import { ordersOf } from '@payroll/tests/support/provider-orders';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { type ConsistencyResult, describeVerdict, runConsistencyChecks } from '@payroll/tools/operate/judge';
import { until } from '../until.js';
import type { Approvals } from './load.js';

/** The damage that a fault has left behind. */
export interface Losses {
  lost: number;
  paidTwice: number;
  /** Findings of reconcile, answers outside the contract, and what else must not be. */
  findings: readonly string[];
}

export function brokenBy({ lost, paidTwice, findings }: Losses, broken: readonly (string | false)[]): string[] {
  const all = [
    lost > 0 && `${lost} acknowledged approvals are lost`,
    paidTwice > 0 && `${paidTwice} pieces of work are paid twice`,
    ...broken,
    ...findings,
  ];
  return all.filter((each) => each !== false);
}

export function describe(title: string, figures: string, broken: readonly string[]): string {
  const first = `${broken.length === 0 ? 'ok    ' : 'WRONG '} ${title} ${figures}`;
  return [first, ...broken.map((each) => `         ${each}`)].join('\n');
}

export interface Answers {
  approvals: Approvals;
  /** A superuser's, of the database payroll. */
  databaseUrl: string;
  provider: StackFile['provider'];
  /** Work of which a loss or a second payment is reported already. */
  reported: Set<string>;
}

const RECONCILED_WITHIN_MS = 90_000;

/** Compares the answers that clients got with the database, and adds what reconcile finds. */
export async function compare(
  { approvals, databaseUrl, provider, reported }: Answers,
  findings: readonly string[],
): Promise<Losses> {
  return await connected(databaseUrl, async (client) => {
    let wrong: ConsistencyResult[] = [];
    const isReconciled = async (): Promise<boolean> => {
      wrong = (await runConsistencyChecks(client)).filter((each) => each.findings > 0);
      return wrong.length === 0;
    };
    await until(isReconciled, { everyMs: 500, withinMs: RECONCILED_WITHIN_MS });
    const acknowledged = approvals.acknowledged;
    const { rows: lost } = await client.query<{ id: string }>(
      `select answer.id from unnest($1::uuid[], $2::uuid[]) as answer (id, payment_id)
        where not exists (select from payments.payment where payment.id = answer.payment_id and source_id = answer.id)`,
      [acknowledged.map(({ item }) => item.id), acknowledged.map(({ paymentId }) => paymentId)],
    );
    const { rows: doubled } = await client.query<{ id: string }>(
      'select source_id as id from payments.payment group by source_id having count(*) > 1',
    );
    // No two work items have the same amount.
    const settled = (await ordersOf(provider)).filter(({ state }) => state === 'settled');
    const paidTwice = [...Map.groupBy(settled, ({ amount, currency }) => `${Number(amount)} ${currency}`)]
      .filter(([, orders]) => orders.length > 1)
      .map(([amount]) => amount);
    const newOnes = (ids: string[]): number => ids.filter((id) => !reported.has(id) && reported.add(id)).length;
    return {
      lost: newOnes(lost.map(({ id }) => `lost ${id}`)),
      paidTwice: newOnes([...doubled.map(({ id }) => `doubled ${id}`), ...paidTwice]),
      findings: [...findings, ...wrong.map(describeVerdict)],
    };
  });
}
