import type { EntityManager } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import { migrate, openDatabase } from '@payroll/store';
import { afterAll, expect, inject, it } from 'vitest';
import { pollProvider } from '../src/payouts/poll-provider.js';
import { paymentsSchema } from '../src/store/schema.js';

const { ownerUrl, urls } = await createDatabase(inject('backends'), 'payments_waiting');
await migrate(paymentsSchema, ownerUrl);
const owner = await openDatabase(paymentsSchema, ownerUrl, 'payroll_owner');
const query = async (text: string) => await owner.em.fork().execute(text);
// Bank transfers that the provider settles in some days.
await query(`insert into payments.payout_attempt (workspace_id, payment_id, number, status, idempotency_key, payee_id,
    worker_id, payout_method, destination, currency, amount, polls, next_poll_at, created_at, updated_at)
  select gen_random_uuid(), gen_random_uuid(), 1, 'submitted', 'milestone:' || n || ':1', gen_random_uuid(),
    gen_random_uuid(), 'bank_transfer', 'an account', 'EUR', 10, 9, now() + n * interval '1 s' + interval '1 h', now(), now()
  from generate_series(1, 20000) n`);
await query('vacuum analyze payments.payout_attempt');
await owner.close();
const service = await openDatabase(paymentsSchema, urls.payments);
afterAll(() => service?.close());

interface Sent {
  text: string;
  values: unknown[];
}

/** The statement with which a round leases what is due. */
async function leaseStatement(): Promise<Sent> {
  const sent: Sent[] = [];
  const query = (statement: Sent) => {
    sent.push(statement);
    return Promise.resolve({ rows: [], rowCount: 0 });
  };
  const em = { getConnection: () => ({ getNativeClient: () => Promise.resolve({ query }) }) };
  await pollProvider({ em: em as unknown as EntityManager, commands: null!, log: null!, provider: null! });
  return sent[0]!;
}

it('a round reads the payouts that are due, not those that the provider has under way', async () => {
  const { text, values } = await leaseStatement();
  const pool = await service.em.getConnection().getNativeClient();
  const explained = await pool.query(`explain (analyze, buffers, format json) ${text}`, values);
  const [{ Plan: plan }] = (explained.rows as [{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }])[0]['QUERY PLAN'];
  expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(50);
});
