import { newId, systemOrigin } from '@payroll/kernel';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { recordPayoutAnswer } from '../src/commands/record-payout-answer.js';
import { processDue } from '../src/payouts/process-due.js';
import { Histories } from './support/histories.js';
import { TestWorkspace } from './support/test-workspace.js';

let milestoneId: string;

const now = (): TestWorkspace => new TestWorkspace(histories.scene, workspaceId);

// A restore undoes an approval whose payout was sent. The work still exists, in status submitted.

const histories = await Histories.begin('payments_same_work');
const workspace = await TestWorkspace.open(histories.scene);
const workspaceId = workspace.id;
await workspace.fund('1000');
const worker = await workspace.contract('sandbox:iban-of-worker');
const beginning = await histories.backUp();
beforeEach(async () => {
  await histories.startOver(beginning);
  milestoneId = newId();
  await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await histories.scene.round();
  await histories.restore(beginning);
});
afterAll(() => histories[Symbol.asyncDispose]());

const CLAIM = `mutation ($orderId: ID!, $paymentId: ID!) {
  requestClaim(orderId: $orderId, paymentId: $paymentId, reason: "the same week") { id } }`;
const DISMISS = `mutation ($orderId: ID!) { requestDismissal(orderId: $orderId, reason: "an old week") { id } }`;

async function rounds(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await histories.scene.round();
    await histories.scene.passTwoHours();
  }
}

async function unclaimed(): Promise<string[]> {
  const { nodes } = await now().ask<{ nodes: { id: string }[] }>('{ unclaimedOrders(status: open) { nodes { id } } }');
  return nodes.map(({ id }) => id);
}

async function byTwo(request: string, variables: object): Promise<void> {
  const { id } = await now().ask<{ id: string }>(request, variables);
  expect((await now().countersign(id)).errors).toBeUndefined();
}

const statusOf = async (id: string): Promise<string> => (await now().payment(id)).status;
const ordersOf = (work: string): string[] =>
  histories.outside.booksOn(`milestone:${work}:`).map(({ idempotencyKey, amount }) => `${idempotencyKey} ${amount}`);

it('work rejected after a restore and submitted again under another id is not paid a second time', async () => {
  const anew = newId();
  const again = await now().milestone(worker, '330.00', 'EUR', anew);
  await rounds();
  expect([await statusOf(again), ordersOf(anew)]).toEqual(['pending', []]);
  const [orderId] = await unclaimed();
  await byTwo(CLAIM, { orderId, paymentId: again });
  await rounds();
  expect([await statusOf(again), ordersOf(anew)]).toEqual(['completed', []]);
  const afterwards = await now().milestone(worker, '20.00', 'EUR', milestoneId);
  await rounds();
  expect(await statusOf(afterwards)).toBe('completed');
  expect(ordersOf(milestoneId)).toEqual([`milestone:${milestoneId}:1 330.00`, `milestone:${milestoneId}:2 20.00`]);
});

it('work approved again after a restore takes over its own order, and payouts are no longer held', async () => {
  const other = await now().milestone(worker, '20.00');
  await rounds();
  expect(await statusOf(other)).toBe('pending');
  const again = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  const heldBy = await now().ask('query ($id: ID!) { payment(id: $id) { heldBy } }', { id: again });
  expect(heldBy).toEqual({ heldBy: null });
  await rounds();
  expect([await statusOf(again), await statusOf(other), await unclaimed()]).toEqual(['completed', 'completed', []]);
  expect(ordersOf(milestoneId)).toEqual([`milestone:${milestoneId}:1 330.00`]);
  expect(await now().accounts()).toMatchObject({ 'EUR/available': '650.00', 'EUR/settled': '350.00' });
});

it('two pieces of work of one worker that are approved again each take over their own order', async () => {
  const second = newId();
  const approveBoth = async (): Promise<string[]> => [
    await now().milestone(worker, '330.00', 'EUR', milestoneId),
    await now().milestone(worker, '20.00', 'EUR', second),
  ];
  await approveBoth();
  await rounds();
  await histories.restore(beginning);
  const both = await approveBoth();
  for (const id of both) {
    const heldBy = await now().ask('query ($id: ID!) { payment(id: $id) { heldBy } }', { id });
    expect(heldBy).toEqual({ heldBy: null });
  }
  await rounds();
  expect(await Promise.all(both.map(statusOf))).toEqual(['completed', 'completed']);
  expect([...ordersOf(milestoneId), ...ordersOf(second)]).toEqual([
    `milestone:${milestoneId}:1 330.00`,
    `milestone:${second}:1 20.00`,
  ]);
});

it('an order whose own work has a payment can be neither dismissed nor claimed for another payment', async () => {
  const [orderId] = await unclaimed();
  const other = await now().milestone(worker, '330.00');
  const own = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  for (const answer of [
    await now().send(DISMISS, { orderId }),
    await now().send(CLAIM, { orderId, paymentId: other }),
  ]) {
    expect(answer.errors?.[0]?.message).toContain(own);
  }
});

const named = '{ unclaimedOrders(status: open) { nodes { id idempotencyKey } } }';

it('an order can be dismissed once the payment of its own work has completed without it', async () => {
  const own = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await now().deduct(own, '330.00');
  const other = await now().milestone(worker, '20.00');
  await rounds();
  expect([await statusOf(own), await statusOf(other)]).toEqual(['completed', 'pending']);
  const [orderId] = await unclaimed();
  await byTwo(DISMISS, { orderId });
  await rounds();
  expect(await statusOf(other)).toBe('completed');
});

it('an order can be dismissed once another order of its work has paid it', async () => {
  const [first] = await unclaimed();
  await byTwo(DISMISS, { orderId: first });
  await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await rounds();
  await histories.restore(beginning);
  const own = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  const other = await now().milestone(worker, '20.00');
  await rounds();
  expect([await statusOf(own), await statusOf(other)]).toEqual(['completed', 'pending']);
  const [left] = await unclaimed();
  await byTwo(DISMISS, { orderId: left });
  await rounds();
  expect([await statusOf(other), await unclaimed()]).toEqual(['completed', []]);
});

it('an order cannot be claimed for a payment that takes over the order of its own work', async () => {
  const second = newId();
  await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await now().milestone(worker, '20.00', 'EUR', second);
  await rounds();
  await histories.restore(beginning);
  const { nodes } = await now().ask<{ nodes: { id: string; idempotencyKey: string }[] }>(named);
  const orderId = nodes.find(({ idempotencyKey }) => idempotencyKey.includes(second))!.id;
  const own = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  const { errors } = await now().send(CLAIM, { orderId, paymentId: own });
  expect(errors?.[0]?.message).toBe(`The payment ${own} takes over the order for its own work.`);
});

it('a dismissed order no longer pays its work; a later approval gets an order under the next key', async () => {
  const [orderId] = await unclaimed();
  await byTwo(DISMISS, { orderId });
  const later = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await rounds();
  expect(await statusOf(later)).toBe('completed');
  expect(ordersOf(milestoneId)).toEqual([`milestone:${milestoneId}:1 330.00`, `milestone:${milestoneId}:2 330.00`]);
  expect(await now().accounts()).toMatchObject({ 'EUR/available': '340.00', 'EUR/workers_receivable': '330.00' });
});

it('an answer that a suspended process got before the restore does not settle an order under another key', async () => {
  const idempotencyKey = `milestone:${milestoneId}:1`;
  const heard = await histories.outside.lookUp({ idempotencyKey });
  const [orderId] = await unclaimed();
  await byTwo(DISMISS, { orderId });
  const later = await now().milestone(worker, '330.00', 'EUR', milestoneId);
  await processDue(histories.scene.parts);
  const origin = systemOrigin(workspaceId, 'runner', 'suspended');
  const answer = { paymentId: later, attempt: 1, idempotencyKey, heard };
  await histories.scene.commands.run(recordPayoutAnswer, answer, origin);
  expect(await statusOf(later)).toBe('processing');
  await rounds();
  expect([await statusOf(later), ordersOf(milestoneId)]).toEqual([
    'completed',
    [`milestone:${milestoneId}:1 330.00`, `milestone:${milestoneId}:2 330.00`],
  ]);
});
