import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { compareOrders, isCompared } from '../src/payouts/compare-orders.js';
import { Histories } from './support/histories.js';
import { type GraphqlAnswer, Scene, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

// A restore loses work that was paid out. Submitted again it has another id, and the provider would pay it again.

const histories = await Histories.begin('payments_lost_work');
const workspace = await TestWorkspace.open(histories.scene);
const workspaceId = workspace.id;
await workspace.fund('1000');
const worker = await workspace.contract('sandbox:iban-of-worker');
const colleague = await workspace.contract('sandbox:iban-of-colleague');
const beginning = await histories.backUp();
beforeEach(async () => {
  await histories.startOver(beginning);
});
afterAll(() => histories[Symbol.asyncDispose]());

const now = (): TestWorkspace => new TestWorkspace(histories.scene, workspaceId);

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await histories.scene.round();
    await histories.scene.passTwoHours();
  }
}

/** Keys of the orders of earlier tests. */
let earlier: Set<string>;
beforeEach(() => {
  earlier = new Set(histories.outside.booksOn('').map(({ idempotencyKey }) => idempotencyKey));
});

function paidTo(destination: string): string[] {
  const orders = histories.outside.booksOn('').filter(({ idempotencyKey }) => !earlier.has(idempotencyKey));
  return orders.flatMap((order) => (order.destination === destination ? [order.amount] : []));
}

/** Work that is paid, and that the following restore loses together with its payment. */
async function paidAndLost(contract = worker, amount = '330.00'): Promise<string> {
  const milestoneId = newId();
  await now().milestone(contract, amount, 'EUR', milestoneId);
  await rounds(1);
  await histories.restore(beginning);
  return `milestone:${milestoneId}:1`;
}

interface Unclaimed {
  id: string;
  idempotencyKey: string;
}

const unclaimed = async (status = 'open'): Promise<Unclaimed[]> => {
  const query = `{ unclaimedOrders(status: ${status}) { nodes {
    id status idempotencyKey providerReference workerId amount { amount currency } orderedAt } } }`;
  return (await now().ask<{ nodes: Unclaimed[] }>(query)).nodes;
};

const CLAIM = `mutation ($orderId: ID!, $paymentId: ID!) {
  requestClaim(orderId: $orderId, paymentId: $paymentId, reason: "the same week") { id kind orderId paymentId } }`;
const DISMISS = `mutation ($orderId: ID!) { requestDismissal(orderId: $orderId, reason: "an old week") { id kind } }`;

async function byTwo(request: string, variables: object): Promise<GraphqlAnswer> {
  const { id } = await now().ask<{ id: string }>(request, variables);
  return await now().countersign(id);
}

describe('work that was paid and then lost in a restore', () => {
  it("is not paid again when submitted again: its worker's payouts wait for two people", async () => {
    const key = await paidAndLost();
    const again = await now().milestone(worker, '330.00');
    const timesheet = await now().timesheet(worker, '20.00');
    const other = await now().milestone(colleague, '10.00');
    await rounds(3);
    for (const id of [again, timesheet]) {
      expect(await now().payment(id)).toMatchObject({ status: 'pending', payoutAttempts: [] });
    }
    expect((await now().payment(other)).status).toBe('completed');
    expect(paidTo('sandbox:iban-of-worker')).toEqual(['330.00']);
    expect(await unclaimed()).toMatchObject([
      { idempotencyKey: key, workerId: worker.workerId, amount: { amount: '330.00', currency: 'EUR' } },
    ]);
  });

  it('two people claim its order for the payment of the same work, which then completes', async () => {
    const key = await paidAndLost();
    const again = await now().milestone(worker, '330.00');
    const [order] = await unclaimed();
    expect((await byTwo(CLAIM, { orderId: order!.id, paymentId: again })).errors).toBeUndefined();
    await rounds(1);
    expect(await now().payment(again)).toMatchObject({ status: 'completed', payoutAttempts: [{ status: 'settled' }] });
    expect(paidTo('sandbox:iban-of-worker')).toEqual(['330.00']);
    expect(histories.outside.booksOn(key)).toMatchObject([{ submissions: 1 }]);
    expect(await unclaimed('claimed')).toMatchObject([{ id: order!.id }]);
    const next = await now().milestone(worker, '40.00');
    await rounds(2);
    expect((await now().payment(next)).status).toBe('completed');
    expect(await now().accounts()).toMatchObject({ 'EUR/available': '630.00', 'EUR/settled': '370.00' });
  });

  it('two people dismiss its order if the work is missing: the amount is booked, payouts resume at once', async () => {
    await paidAndLost();
    const held = await now().milestone(worker, '40.00');
    await rounds(3);
    const [order] = await unclaimed();
    expect((await byTwo(DISMISS, { orderId: order!.id })).errors).toBeUndefined();
    await rounds(2);
    expect((await now().payment(held)).status).toBe('completed');
    expect(await now().accounts()).toMatchObject({
      ...{ 'EUR/available': '630.00', 'EUR/settled': '40.00', 'EUR/workers_receivable': '330.00' },
    });
    expect(codeOf(await now().send(DISMISS, { orderId: order!.id }))).toBe('INVALID_STATE');
    // The held payment has not failed: work that was deferred would be tried again up to an hour later.
    expect(await histories.scene.sql(sql`select from deferred_work`)).toEqual([]);
  });

  it('cannot be paid by hand or ended by one person', async () => {
    await paidAndLost();
    const again = await now().timesheet(worker, '330.00', { autoPay: false });
    expect(codeOf(await now().act('requestPayout', again))).toBe('INVALID_STATE');
    const [order] = await unclaimed();
    const { id } = await now().ask<{ id: string }>(DISMISS, { orderId: order!.id });
    expect(codeOf(await now().countersign(id, now().origin))).toBe('INSUFFICIENT_SCOPE');
    expect(await unclaimed()).toHaveLength(1);
  });

  it('cannot be cancelled while its order is unclaimed, and shows what holds it', async () => {
    await paidAndLost();
    const [again, other] = [await now().milestone(worker, '330.00'), await now().milestone(colleague, '10.00')];
    const heldBy = async (id: string): Promise<string | null> =>
      (await now().ask<{ heldBy: string | null }>('query ($id: ID!) { payment(id: $id) { heldBy } }', { id })).heldBy;
    expect([await heldBy(again), await heldBy(other)]).toEqual(['unclaimed_order', null]);
    expect(codeOf(await now().act('cancelPayment', again))).toBe('INVALID_STATE');
    expect((await now().act('cancelPayment', other)).errors).toBeUndefined();
    const [order] = await unclaimed();
    await byTwo(DISMISS, { orderId: order!.id });
    expect(await heldBy(again)).toBeNull();
    expect((await now().act('cancelPayment', again)).errors).toBeUndefined();
  });

  it('cannot be cancelled while its worker is unknown', async () => {
    await paidAndLost();
    const again = await now().milestone(worker, '330.00');
    await histories.scene.sql(
      sql`update contract_worker set worker_id = null where contract_id = ${worker.contractId}`,
    );
    expect(codeOf(await now().act('cancelPayment', again))).toBe('INVALID_STATE');
  });

  it.each(['DE02120300000000202051', 'de02 1203 0000 0000 2020 51'])(
    'is recognized by its destination, typed as %s, if the worker was lost and registered again',
    async (typed) => {
      const lost = await now().contract('DE02 1203 0000 0000 2020 51');
      await paidAndLost(lost);
      const registered = await now().contract(typed);
      expect(registered.workerId).not.toBe(lost.workerId);
      const again = await now().milestone(registered, '330.00');
      await rounds(2);
      expect((await now().payment(again)).status).toBe('pending');
      expect([...paidTo('DE02 1203 0000 0000 2020 51'), ...paidTo(typed)]).toEqual(['330.00']);
    },
  );

  it('is not paid again in a currency that has been withdrawn', async () => {
    await now().fund('1000', 'HRK');
    await now().milestone(worker, '330.00', 'HRK', newId());
    await rounds(1);
    await histories.restore(beginning);
    await now().fund('1000', 'HRK');
    const again = await now().milestone(worker, '330.00', 'HRK');
    await rounds(2);
    expect((await now().payment(again)).status).toBe('pending');
    expect(paidTo('sandbox:iban-of-worker')).toEqual(['330.00']);
  });

  it('its order pays nothing later if it is dismissed while the provider does not find it', async () => {
    const key = await paidAndLost(await now().contract('sandbox:stays-under-way'));
    const [order] = await unclaimed();
    histories.outside.forget(key);
    expect((await byTwo(DISMISS, { orderId: order!.id })).errors).toBeUndefined();
    expect(histories.outside.booksOn(key)).toMatchObject([{ state: 'declined' }]);
    expect(await now().accounts()).not.toHaveProperty('EUR/workers_receivable');
  });

  it('its order is not sent again if the provider no longer finds it when a payment takes it over', async () => {
    const key = await paidAndLost(await now().contract('sandbox:stays-under-way'));
    const again = await now().milestone(await now().contract('sandbox:stays-under-way'), '340.00');
    const [order] = await unclaimed();
    expect((await byTwo(CLAIM, { orderId: order!.id, paymentId: again })).errors).toBeUndefined();
    histories.outside.forget(key);
    await rounds(2);
    expect(histories.outside.booksOn(key)).toMatchObject([{ submissions: 0 }]);
    const attempts = [{ status: 'submitted', alarm: 'not_found', providerReference: `sandbox-${key}` }];
    expect(await now().payment(again)).toMatchObject({ status: 'processing', payoutAttempts: attempts });
    // Two people then record the amount of the order, not that of the payment.
    const wasPaid = 'mutation ($id: ID!) { requestOutcome(paymentId: $id, wasPaid: true, reason: "a letter") { id } }';
    expect((await byTwo(wasPaid, { id: again })).errors).toBeUndefined();
    expect(await now().accounts()).toMatchObject({ 'EUR/settled': '340.00', 'EUR/workers_payable': '-10.00' });
  });

  it.each(['another payment has taken it over', 'the payment of its own work will take it over'])(
    'its order is not declined at the provider by a dismissal that is refused because %s',
    async (which) => {
      const key = await paidAndLost(await now().contract('sandbox:stays-under-way'));
      const [order] = await unclaimed();
      const dismissal = await now().ask<{ id: string }>(DISMISS, { orderId: order!.id });
      const contract = await now().contract('sandbox:stays-under-way');
      const milestoneId = which.startsWith('another') ? newId() : key.split(':')[1];
      const again = await now().milestone(contract, '330.00', 'EUR', milestoneId);
      if (which.startsWith('another')) await byTwo(CLAIM, { orderId: order!.id, paymentId: again });
      histories.outside.forget(key);
      expect(codeOf(await now().countersign(dismissal.id))).toBe('INVALID_STATE');
      expect(histories.outside.booksOn(key)).toMatchObject([{ state: 'lost' }]);
    },
  );

  it('its order is dismissed only once it is final, and a declined one books nothing', async () => {
    const lost = await now().contract('sandbox:stays-under-way');
    const key = await paidAndLost(lost);
    const [order] = await unclaimed();
    expect(codeOf(await byTwo(DISMISS, { orderId: order!.id }))).toBe('INVALID_STATE');
    await histories.outside.finish(key, 'declined');
    expect((await byTwo(DISMISS, { orderId: order!.id })).errors).toBeUndefined();
    expect(await unclaimed()).toEqual([]);
    expect(await now().accounts()).not.toHaveProperty('EUR/workers_receivable');
  });

  it('its order cannot be dismissed by a workspace without sufficient funds until it is funded', async () => {
    await paidAndLost(worker, '900.00');
    const spent = await now().milestone(colleague, '200.00');
    await rounds(1);
    expect((await now().payment(spent)).status).toBe('completed');
    const [order] = await unclaimed();
    expect(codeOf(await byTwo(DISMISS, { orderId: order!.id }))).toBe('INVALID_STATE');
    await now().fund('500');
    expect((await byTwo(DISMISS, { orderId: order!.id })).errors).toBeUndefined();
  });
});

it('a claim right after a second restore does not hide the orders that this one has lost', async () => {
  await paidAndLost();
  const again = await now().milestone(worker, '330.00');
  const [first] = await unclaimed();
  const backup = await histories.backUp();
  await histories.scene.compare();
  await now().milestone(colleague, '50.00', 'EUR', newId());
  await rounds(2);
  await histories.replace(backup);
  await histories.scene.clock.pass(5 * 3_600_000);
  expect(codeOf(await byTwo(CLAIM, { orderId: first!.id, paymentId: again }))).toBe('SERVICE_UNAVAILABLE');
  await histories.scene.compare();
  await now().milestone(colleague, '50.00');
  await rounds(2);
  expect(paidTo('sandbox:iban-of-colleague')).toEqual(['50.00']);
});

it('an attempt that a clock ahead has dated in the future does not hide the orders that a restore has lost', async () => {
  const day = 24 * 3_600_000;
  const other = await TestWorkspace.open(histories.scene);
  await other.fund('10');
  await histories.scene.clock.pass(day);
  await other.milestone(await other.contract('DE02120300000000202051'), '10.00');
  await rounds(1);
  await histories.scene.clock.pass(-day - 2 * 3_600_000);
  const backup = await histories.backUp();
  await now().milestone(worker, '330.00', 'EUR', newId());
  await rounds(1);
  await histories.restore(backup);
  expect(await unclaimed()).toHaveLength(1);
});

it('a declined order made no payment and blocks no payout', async () => {
  const declined = await now().contract('sandbox:declines');
  await paidAndLost(declined);
  expect(await unclaimed()).toEqual([]);
});

describe('until the provider’s orders are compared in a new database generation', () => {
  const forget = sql`update order_check set checked_at = null`;

  it('no payout begins, automatically or by hand', async () => {
    await histories.scene.sql(forget);
    const due = await now().milestone(worker, '10.00');
    const byHand = await now().timesheet(worker, '10.00', { autoPay: false });
    await rounds(2);
    expect((await now().payment(due)).status).toBe('pending');
    expect(codeOf(await now().act('requestPayout', byHand))).toBe('SERVICE_UNAVAILABLE');
    expect(codeOf(await now().act('cancelPayment', byHand))).toBe('SERVICE_UNAVAILABLE');
    await histories.scene.compare();
    await rounds(1);
    expect((await now().payment(due)).status).toBe('completed');
  });

  it('the comparison waits until orders of the earlier generation can no longer arrive', async () => {
    const milestoneId = newId();
    await now().milestone(worker, '10.00', 'EUR', milestoneId);
    await rounds(1);
    await histories.replace(beginning);
    const parts = { ...histories.scene.parts, provider: histories.outside };
    await compareOrders(parts);
    await histories.scene.clock.pass(12_000);
    await compareOrders(parts);
    expect([await isCompared(parts.em), await unclaimed()]).toEqual([false, []]);
    await histories.scene.clock.pass(9_000);
    await compareOrders(parts);
    expect(await isCompared(parts.em)).toBe(true);
    expect(await unclaimed()).toHaveLength(1);
  });

  it('a connection that still reads the database before the restore does not make an order known', async () => {
    await now().milestone(worker, '330.00', 'EUR', newId());
    await rounds(1);
    const [{ name }] = (await histories.scene.sql(sql<{ name: string }>`select current_database() as name`)) as [
      { name: string },
    ];
    await histories.replace(beginning);
    await using before = await Scene.over(name, histories.outside);
    const { em } = histories.scene;
    const query = async (statement: { text: string }): Promise<unknown> => {
      const read = statement.text.includes('unnest') ? before.em : em;
      return await (await read.getConnection().getNativeClient()).query(statement);
    };
    const client = () => ({ getNativeClient: () => Promise.resolve({ query }) });
    const mixed = Object.create(em, { getConnection: { value: client } }) as typeof em;
    const parts = { ...histories.scene.parts, em: mixed, provider: histories.outside };
    await compareOrders(parts);
    await histories.scene.clock.pass(21_000);
    await compareOrders(parts);
    expect(await unclaimed()).toHaveLength(1);
  });

  it('the comparison is repeated if the provider cannot be reached', async () => {
    await histories.scene.sql(forget);
    const parts = { ...histories.scene.parts, provider: histories.outside };
    histories.outside.faults.isDown = true;
    try {
      await histories.scene.clock.pass(21_000);
      await expect(compareOrders(parts)).rejects.toThrow();
    } finally {
      histories.outside.faults.isDown = false;
    }
    await compareOrders(parts);
    const due = await now().milestone(worker, '10.00');
    await rounds(1);
    expect((await now().payment(due)).status).toBe('completed');
  });
});
