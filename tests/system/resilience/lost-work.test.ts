import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, instruct, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import {
  APPROVE_TIMESHEET,
  PAYMENT,
  REJECT_TIMESHEET,
  REQUEST_FUNDING,
  transferOf,
} from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import {
  byMilestone,
  contractIn,
  hourly,
  registerWorker,
  submitMilestones,
  submitWeek,
  type Submitted,
} from '@payroll/tools/demo/steps';
import { noPgBackRest, whyNoPgBackRest } from '../../support/backups.js';
import { startSystem, type System } from '../support.js';
import { ArchivedDatabase, eventually } from './archived-database.js';

// The provider has paid for work that a restore then deletes, or returns to its state before approval.

const started = new AsyncDisposableStack();
let system: System;
let database: ArchivedDatabase;

const nothingIsWrong = (): Promise<void> => expect.poll(() => database.wrong(), eventually).toEqual([]);

async function approve({ id, version }: Submitted): Promise<void> {
  const { admin } = system.workspaces[0].apiKeys;
  const answer = () => system.rest(admin, 'POST', `/milestones/${id}/approve`, { expectedVersion: version });
  await expect.poll(async () => (await answer()).status, eventually).toBe(200);
}

async function statusOf({ id }: Submitted): Promise<unknown> {
  return (await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/milestones/${id}`)).body['status'];
}

const isPaid = (piece: Submitted): Promise<void> => expect.poll(() => statusOf(piece), eventually).toBe('paid');

interface Paid {
  paymentId: string;
}

/** Retries until the system is available again. */
async function once<T>(what: () => Promise<T>): Promise<T> {
  let done: T | undefined;
  await expect.poll(async () => (done ??= await what().catch(() => undefined)), eventually).toBeDefined();
  return done!;
}

/** A submitted and approved week. @returns the id of its payment */
async function approvedWeek(access: GraphqlAccess, contractId: string): Promise<string> {
  const week = await once(() => submitWeek(access, contractId, 0, '6.6'));
  return (await once(() => ask<Paid>(access, APPROVE_TIMESHEET, week))).paymentId;
}

const paymentStatus = async (id: string): Promise<string> =>
  (await ask<{ status: string }>(system.access(), PAYMENT, { id })).status;

interface Unclaimed {
  id: string;
  idempotencyKey: string;
}

/** The provider's orders whose work is lost, those of timesheets first. */
async function unclaimed(): Promise<Unclaimed[]> {
  const query = '{ unclaimedOrders(status: open, limit: 100) { nodes { id idempotencyKey } } }';
  const access = { ...system.access(), token: system.access().finance[0] };
  const { nodes } = await ask<{ nodes: Unclaimed[] }>(access, query);
  return nodes.toSorted((a, b) => b.idempotencyKey.localeCompare(a.idempotencyKey));
}

const CLAIM = `mutation ($orderId: ID!, $paymentId: ID!) {
  requestClaim(orderId: $orderId, paymentId: $paymentId, reason: "The same week") { id } }`;
const DISMISS = `mutation ($orderId: ID!) { requestDismissal(orderId: $orderId, reason: "Their step was accepted") { id } }`;

const RESUBMIT = `mutation ($id: ID!, $unitsWorked: Decimal!) {
  resubmitTimesheet(id: $id, input: { unitsWorked: $unitsWorked }) { id version } }`;
const OUTCOME = `mutation ($id: ID!, $wasPaid: Boolean!) {
  requestOutcome(paymentId: $id, wasPaid: $wasPaid, reason: "Their statement of the day") { id amount { amount } } }`;
const ATTEMPTS = `query ($id: ID!) { payment(id: $id) { status payoutAttempts {
  status alarm amount { amount } paidAmount { amount } reported { status amount { amount } } } } }`;

describe.skipIf(noPgBackRest)(`a restored system${whyNoPgBackRest}`, () => {
  beforeAll(async () => {
    system = started.use(await startSystem());
    database = await ArchivedDatabase.start(system);
  });
  afterAll(async () => await started.disposeAsync());

  it('the payment of lost work that is submitted again waits for two people, and is not paid twice', async () => {
    const access = system.access();
    const worker = await registerWorker(access, 'Lena Lost', 'example.com');
    await payTo(access, worker.id, 'DE02 1203 0000 0000 2020 51');
    await instruct(access, REQUEST_FUNDING, transferOf('1000', 'EUR'));
    const contractId = await contractIn(access, worker, hourly('By the hour', 'EUR', '50'), 'active');
    await database.baseBackup();
    const moment = await database.moment();
    const lost = await approvedWeek(access, contractId);
    await expect.poll(() => paymentStatus(lost), eventually).toBe('completed');
    const stepId = await contractIn(access, worker, byMilestone('By milestones', ['100']), 'active');
    const [step] = (await submitMilestones(access, stepId)) as [Submitted];
    await approve(step);
    await isPaid(step);
    const ordered = await database.orders();

    expect(await database.restore(moment)).toContain('payouts begin once payments has compared the orders');
    const again = await approvedWeek(access, contractId);
    expect(again).not.toBe(lost);
    await expect.poll(async () => (await unclaimed().catch(() => [])).length, eventually).toBe(2);
    const [week, milestone] = (await unclaimed()) as [Unclaimed, Unclaimed];
    expect(milestone.idempotencyKey).toBe(`milestone:${step.id}:1`);
    await expect
      .poll(() => ask(access, 'query ($id: ID!) { payment(id: $id) { status heldBy } }', { id: again }), eventually)
      .toEqual({ status: 'pending', heldBy: 'unclaimed_order' });
    expect(await database.wrong()).toEqual([expect.stringContaining('2 found') as string]);
    expect(await database.orders()).toEqual(ordered);

    await instruct(access, CLAIM, { orderId: week.id, paymentId: again });
    await instruct(access, DISMISS, { orderId: milestone.id });
    await expect.poll(() => paymentStatus(again), eventually).toBe('completed');
    expect(await database.orders()).toEqual(ordered);
    await nothingIsWrong();
    expect(await database.wrong(await database.statement())).toEqual([]);
  }, 240_000);

  it('work paid before a restore and approved for more later is booked as paid; the rest is owed', async () => {
    const access = system.access();
    const worker = await registerWorker(access, 'Dora Differs', 'example.com');
    await payTo(access, worker.id, 'DE75 5121 0800 1245 1261 99');
    await instruct(access, REQUEST_FUNDING, transferOf('1000', 'EUR'));
    const contractId = await contractIn(access, worker, hourly('By the hour, too', 'EUR', '50'), 'active');
    const week = await submitWeek(access, contractId, 0, '1.6');
    await database.baseBackup();
    const moment = await database.moment();
    const { paymentId } = await ask<Paid>(access, APPROVE_TIMESHEET, week);
    await expect.poll(() => paymentStatus(paymentId), eventually).toBe('completed');
    const ordered = await database.orders();

    await database.restore(moment);
    await once(() => ask(access, REJECT_TIMESHEET, { ...week, reason: 'It was more' }));
    const more = await ask<Submitted>(access, RESUBMIT, { id: week.id, unitsWorked: '2.4' });
    expect(await ask<Paid>(access, APPROVE_TIMESHEET, more)).toMatchObject({ paymentId });
    const shown = () => ask(access, ATTEMPTS, { id: paymentId });
    const differs = { status: 'submitted', alarm: 'differs', amount: { amount: '120.00' } };
    const reported = { status: 'settled', amount: { amount: '80.00' } };
    await expect.poll(shown, eventually).toMatchObject({ payoutAttempts: [{ ...differs, reported }] });
    await expect(instruct(access, OUTCOME, { id: paymentId, wasPaid: false })).rejects.toThrow('INVALID_STATE');
    expect(await database.wrong(await database.statement())).toContainEqual(
      expect.stringMatching(/paid what was ordered: 1 found/),
    );

    await instruct(access, OUTCOME, { id: paymentId, wasPaid: true });
    expect(await shown()).toMatchObject({ status: 'completed', payoutAttempts: [{ paidAmount: { amount: '80.00' } }] });
    const owed = `select amount::text from payments.ledger_entry where account = 'workers_payable'`;
    expect(await database.rows(owed)).toEqual([{ amount: '-40.00' }]);
    expect(await database.orders()).toEqual(ordered);
    await nothingIsWrong();
    expect(await database.wrong(await database.statement())).toEqual([]);
  }, 240_000);
});
