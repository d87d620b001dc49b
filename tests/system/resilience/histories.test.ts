import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Submitted } from '@payroll/tools/demo/steps';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseSwitch } from '../../support/database-switch.js';
import { submittedMilestones } from '../milestones.js';
import { startSystem, type Answer, type System } from '../support.js';

// Processes keep running while their database is replaced by an earlier state (ADR 04).

const run = promisify(execFile);
const started = new AsyncDisposableStack();
let system: System;
let database: DatabaseSwitch;
let work: Submitted[];

beforeAll(async () => {
  system = started.use(await startSystem());
  database = new DatabaseSwitch(system.stack.database.adminUrl);
  work = await submittedMilestones(system.access(), 6);
});
afterAll(async () => await started.disposeAsync());

const eventually = { timeout: 60_000, interval: 200 };

const admin = (): string => system.workspaces[0].apiKeys.admin;

const approve = ({ id, version }: Submitted): Promise<Answer> =>
  system.rest(admin(), 'POST', `/milestones/${id}/approve`, { expectedVersion: version });

async function milestone(id: string): Promise<Record<string, unknown>> {
  return (await system.rest(admin(), 'GET', `/milestones/${id}`)).body;
}

const paymentsFor = (id: string, history?: string): Promise<{ id: string; status: string }[]> =>
  database.rows('select id, status from payments.payment where source_id = $1', [id], history);

/** Expects review, payments and `/v1` to show one and the same payment for the work. */
async function isPaidOnce(id: string): Promise<void> {
  await expect.poll(async () => (await milestone(id))['status'], eventually).toBe('paid');
  const paymentId = (await milestone(id))['paymentId'];
  expect(await paymentsFor(id)).toEqual([{ id: paymentId, status: 'completed' }]);
  const read = await system.rest(admin(), 'GET', `/payments/${String(paymentId)}`);
  expect(read).toMatchObject({ status: 200, body: { milestoneId: id, status: 'completed' } });
}

async function nothingIsLeft(): Promise<void> {
  const rows = (): Promise<object[]> =>
    database.rows(`
      select consumer as what from review.outbox_delivery
      union all select consumer from payments.outbox_delivery
      union all select type from review.dead_letter union all select type from payments.dead_letter`);
  await expect.poll(rows, eventually).toEqual([]);
}

it('an approval lost in a switch is not paid, and is paid once after it is repeated', async () => {
  const [lost] = work.splice(0, 1);
  const before = await database.copy();
  await database.cutOff('payments');
  await expect.poll(async () => (await approve(lost!)).status, eventually).toBe(200);
  await database.switchTo(before);
  await database.letIn('payments');
  await expect
    .poll(async () => await milestone(lost!.id), eventually)
    .toMatchObject({ status: 'submitted', paymentId: null });
  // Approve other work, so that its event arrives after the events of the lost generation that payments still has.
  const [other] = work.splice(0, 1);
  await expect.poll(async () => (await approve(other!)).status, eventually).toBe(200);
  await isPaidOnce(other!.id);
  expect(await paymentsFor(lost!.id)).toEqual([]);
  expect(await milestone(lost!.id)).toMatchObject({ status: 'submitted', paymentId: null });
  expect(await approve(lost!)).toMatchObject({ status: 200, body: { status: 'approved' } });
  await isPaidOnce(lost!.id);
  await nothingIsLeft();
});

it('a payout sent before a switch is ordered again under the same key, for the same payment', async () => {
  const [lost] = work.splice(0, 1);
  const before = await database.copy();
  await expect.poll(async () => (await approve(lost!)).status, eventually).toBe(200);
  await isPaidOnce(lost!.id);
  const { paymentId } = await milestone(lost!.id);
  const left = await database.switchTo(before);
  await expect.poll(async () => (await milestone(lost!.id))['status'], eventually).toBe('submitted');
  await expect.poll(async () => (await approve(lost!)).status, eventually).toBe(200);
  await isPaidOnce(lost!.id);
  expect(await milestone(lost!.id)).toMatchObject({ paymentId });
  const orders = (history?: string): Promise<object[]> =>
    database.rows(
      `select attempt.idempotency_key from payments.payout_attempt attempt
       join payments.payment on payment.id = attempt.payment_id where payment.source_id = $1`,
      [lost!.id],
      history,
    );
  expect(await orders()).toHaveLength(1);
  expect(await orders()).toEqual(await orders(left));
});

it('an unconfirmed event that payments applied in the lost database is applied in the new one', async () => {
  const [half] = work.splice(0, 1);
  const { review, payments } = system.stack.file.processes;
  // Payments holds the request in memory while the copy is made, and applies it only afterwards.
  process.kill(payments!, 'SIGSTOP');
  await expect.poll(async () => (await approve(half!)).status, eventually).toBe(200);
  const before = await database.copy();
  // Review receives the reply only after the switch.
  process.kill(review!, 'SIGSTOP');
  process.kill(payments!, 'SIGCONT');
  await expect.poll(() => paymentsFor(half!.id), eventually).toHaveLength(1);
  await database.switchTo(before);
  expect(await paymentsFor(half!.id)).toEqual([]);
  process.kill(review!, 'SIGCONT');
  await isPaidOnce(half!.id);
  await nothingIsLeft();
});

it('a restored data directory is a new generation, with the same cluster, timeline and database', async () => {
  const [lost] = work.splice(0, 1);
  const { postgres, dir } = system.stack;
  const [data, snapshot] = [join(dir, 'postgres', 'data'), join(dir, 'postgres', 'snapshot')];
  await postgres.stop();
  await run('cp', ['-a', data, snapshot]);
  await postgres.start();
  await database.cutOff('payments');
  await expect.poll(async () => (await approve(lost!)).status, eventually).toBe(200);
  await postgres.stop();
  await rm(data, { recursive: true });
  await run('mv', [snapshot, data]);
  await postgres.start();
  const [other] = work.splice(0, 1);
  await expect.poll(async () => (await approve(other!)).status, eventually).toBe(200);
  await isPaidOnce(other!.id);
  expect(await paymentsFor(lost!.id)).toEqual([]);
  expect(await milestone(lost!.id)).toMatchObject({ status: 'submitted', paymentId: null });
  await nothingIsLeft();
});
