import type { EntityManager } from '@mikro-orm/postgresql';
import { createDatabase } from '@payroll/tools/local/test-server';
import { migrate } from '@payroll/store';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { pollProvider } from '../src/payouts/poll-provider.js';
import { paymentsSchema } from '../src/store/schema.js';

let owner: Client;

beforeAll(async () => {
  const { ownerUrl } = await createDatabase(inject('backends'), 'payments_waiting');
  await migrate(paymentsSchema, ownerUrl);
  owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query('set search_path = payments');
  // Bank transfers that the provider settles in some days.
  await owner.query(`insert into payout_attempt (workspace_id, payment_id, number, status, idempotency_key, payee_id,
      worker_id, payout_method, destination, currency, amount, polls, next_poll_at, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), 1, 'submitted', 'milestone:' || n || ':1', gen_random_uuid(),
      gen_random_uuid(), 'bank_transfer', 'an account', 'EUR', 10, 9, now() + n * interval '1 s' + interval '1 h', now(), now()
    from generate_series(1, 20000) n`);
  await owner.query('vacuum analyze payout_attempt');
});
afterAll(() => owner?.end());

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
  const { rows } = await owner.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${text}`,
    values,
  );
  const plan = rows[0]!['QUERY PLAN'][0].Plan;
  expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(50);
});
