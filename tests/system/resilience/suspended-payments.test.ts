import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import { PAYMENT, REQUEST_RETRY } from '@payroll/tools/demo/operations';
import type { Submitted } from '@payroll/tools/demo/steps';
import { ordersOf } from '../../support/provider-orders.js';
import { submittedMilestones } from '../milestones.js';
import { startSystem, type System } from '../support.js';

// Payments is suspended while Postgres' answer waits in its socket, and resumes long after the payout has ended.

const started = new AsyncDisposableStack();
let system: System;
let database: Client;

beforeAll(async () => {
  system = started.use(await startSystem());
  const url = Object.assign(new URL(system.stack.database.adminUrl), { pathname: 'payroll' });
  database = started.adopt(new Client(url.href), (open) => open.end());
  await database.connect();
});
afterAll(async () => await started.disposeAsync());

const eventually = { timeout: 60_000, interval: 100 };

async function faults(named: object): Promise<void> {
  const { url, key } = system.stack.file.provider;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/control/faults`, { method: 'PUT', headers, body: JSON.stringify(named) });
  expect(answer.status).toBe(200);
}

async function approve({ id, version }: Submitted): Promise<string> {
  const { admin } = system.workspaces[0].apiKeys;
  const answer = await system.rest(admin, 'POST', `/milestones/${id}/approve`, { expectedVersion: version });
  expect(answer.status).toBe(200);
  return answer.body['paymentId'] as string;
}

/** Number and status of a payment's newest attempt. */
async function attempt(paymentId: string): Promise<string | undefined> {
  const { rows } = await database.query<{ what: string }>(
    `select concat_ws(' ', number, status, alarm) as what from payments.payout_attempt
      where payment_id = $1 order by number desc limit 1`,
    [paymentId],
  );
  return rows[0]?.what;
}

const askNow = (): Promise<unknown> =>
  database.query(`update payments.payout_attempt set next_poll_at = now() where status in ('prepared', 'submitted')`);

/** The Postgres sessions of payments that wait for a locked table. */
async function waiting(): Promise<number[]> {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where usename = 'payments' and wait_event_type = 'Lock'`,
  );
  return rows.map(({ pid }) => pid);
}

const statusOf = async (id: string): Promise<string> =>
  (await ask<{ status: string }>(system.access(), PAYMENT, { id })).status;

const NEVER_PAID = `mutation ($id: ID!) {
  requestOutcome(paymentId: $id, wasPaid: false, reason: "The provider's letter") { id } }`;

it('an order sent after the process resumes makes no payment, because another attempt has settled', async () => {
  const [work, later] = (await submittedMilestones(system.access(), 2)) as [Submitted, Submitted];
  const { payments } = system.stack.file.processes;
  await faults({ isDown: true });
  const paymentId = await approve(work);
  await expect.poll(() => attempt(paymentId), eventually).toBe('1 prepared');

  // Only the process that will be suspended can take the attempt.
  const suspended = await system.stack.another('payments');
  process.kill(payments!, 'SIGSTOP');
  await database.query('begin');
  await database.query('lock table payments.payout_attempt in access exclusive mode');
  await askNow();
  await expect.poll(waiting, eventually).not.toEqual([]);
  const [session] = await waiting();
  process.kill(suspended.pid!, 'SIGSTOP');
  await database.query('commit');
  const answered = `select from pg_stat_activity where pid = $1 and state = 'idle'`;
  await expect.poll(async () => (await database.query(answered, [session])).rowCount, eventually).toBe(1);

  process.kill(payments!, 'SIGCONT');
  await faults({ forgets: 1 });
  await askNow();
  await expect.poll(() => attempt(paymentId), eventually).toBe('1 submitted');
  await askNow();
  await expect.poll(() => attempt(paymentId), eventually).toBe('1 submitted not_found');
  await faults({});
  await instruct(system.access(), NEVER_PAID, { id: paymentId });
  await expect.poll(() => statusOf(paymentId), eventually).toBe('failed');
  await instruct(system.access(), REQUEST_RETRY, { id: paymentId });
  await expect.poll(() => statusOf(paymentId), eventually).toBe('completed');

  // It runs alone from now on: the next payment proves that it has finished its round.
  process.kill(payments!, 'SIGSTOP');
  process.kill(suspended.pid!, 'SIGCONT');
  const next = await approve(later);
  await expect.poll(() => attempt(next), eventually).toBe('1 settled');
  process.kill(payments!, 'SIGCONT');
  await suspended[Symbol.asyncDispose]();

  const ordered = (await ordersOf(system.stack.file.provider)).filter(({ idempotencyKey }) =>
    idempotencyKey.includes(work.id),
  );
  expect(ordered).toMatchObject([
    { idempotencyKey: `milestone:${work.id}:1`, state: 'declined' },
    { idempotencyKey: `milestone:${work.id}:2`, state: 'settled' },
  ]);
}, 240_000);
