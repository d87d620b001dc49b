import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { OrderingProvider } from '../src/payouts/provider.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_alarms');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('100');
});
afterAll(() => scene[Symbol.asyncDispose]());

/** A provider that counts orders and finds none of them when asked. */
function forgetful(): OrderingProvider & { orders: string[] } {
  const { sandbox } = scene;
  const orders: string[] = [];
  return {
    orders,
    submit: (order) => {
      orders.push(order.idempotencyKey);
      return sandbox.submit(order);
    },
    lookUp: () => Promise.resolve(null),
  };
}

async function rounds(count: number, provider?: OrderingProvider): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await scene.round(provider);
    await scene.passTwoHours();
  }
}

it('an acknowledged payout that the provider does not find gets an alarm and is not reordered', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:settles-later'), '10.00');
  const provider = forgetful();
  await rounds(5, provider);
  expect(provider.orders).toHaveLength(1);
  expect(await workspace.payment(id)).toMatchObject({
    status: 'processing',
    payoutAttempts: [{ number: 1, status: 'submitted', alarm: 'not_found' }],
  });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '90.00', 'EUR/in_flight': '10.00' });
  const alarms = await scene.sql(
    sql`select change from audit_entry where subject_id = ${id} and action = 'payout.alarm'`,
  );
  expect(alarms).toHaveLength(1);
});

it('the payout continues by itself once the provider finds it again', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:settles-later'), '10.00');
  await rounds(3, forgetful());
  await rounds(1);
  expect(await workspace.payment(id)).toMatchObject({
    status: 'completed',
    payoutAttempts: [{ number: 1, status: 'settled', alarm: null }],
  });
});

it('a provider that reports another amount or destination completes no payment', async () => {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  const { sandbox } = scene;
  const other = { submit: () => Promise.reject(new Error('no answer')), lookUp: sandbox.lookUp.bind(sandbox) };
  const submit: OrderingProvider['submit'] = async (order) => ({
    ...(await sandbox.submit(order)),
    amount: { amount: '1.00', currency: 'EUR' },
  });
  await rounds(1, { ...other, submit });
  expect(await workspace.payment(id)).toMatchObject({ status: 'processing', payoutAttempts: [{ alarm: 'differs' }] });
});

it('Postgres refuses to change the order of an attempt', async () => {
  await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
  await scene.round();
  for (const change of ['idempotency_key', 'destination', 'currency', 'payout_method']) {
    const rewrite = sql`update payout_attempt set ${sql.ref(change)} = 'x'`;
    await expect(scene.sql(rewrite)).rejects.toThrow('permission denied');
  }
  await expect(scene.sql(sql`update payout_attempt set amount = 1`)).rejects.toThrow('permission denied');
});
