import { createDatabase } from '@payroll/infra/test-server';
import { openDatabase } from '@payroll/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withEarlierOrders } from '../src/payouts/earlier-orders.js';
import { paymentsSchema } from '../src/store/schema.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

const NAME = 'payments_earlier_orders';
let scene: Scene;
let workspace: TestWorkspace;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  scene = stack.use(await Scene.open(NAME));
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('1000');
});
afterAll(() => stack.disposeAsync());

/** An attempt of the version before, as far as it got: its order at the provider of that time, and no answer recorded. */
async function orderedBefore(state: string): Promise<string> {
  const id = await workspace.milestone(await workspace.contract('iban'), '10.00');
  await scene.round({ submit: () => Promise.reject(new Error('killed')), lookUp: () => Promise.resolve(null) });
  const { ownerUrl } = await createDatabase(inject('backends'), NAME);
  const orm = await openDatabase(paymentsSchema, ownerUrl, 'payroll_owner');
  await orm.em.fork().execute(
    `insert into payments.sandbox_payout (idempotency_key, state, currency, amount, created_at)
      select idempotency_key, ?, currency, amount, now() from payments.payout_attempt where payment_id = ?`,
    [state, id],
  );
  await orm.close();
  return id;
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await scene.passTwoHours();
    await scene.round(withEarlierOrders(scene.sandbox, scene.em));
  }
}

it.each([
  ['settled', 'completed'],
  ['accepted', 'completed'],
  ['declined', 'failed'],
  ['held', 'processing'],
])('an order that the version before had as %s is not ordered again: its payment is %s', async (state, status) => {
  const id = await orderedBefore(state);
  await rounds(2);
  expect(await workspace.payment(id)).toMatchObject({ status, payoutAttempts: [{ alarm: null }] });
  expect(await workspace.paidOut(id)).toEqual([]);
});

it('an order that never arrived there is ordered at the provider of now', async () => {
  const id = await orderedBefore('lost');
  await rounds(1);
  expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
  expect(await workspace.paidOut(id)).toEqual(['10.00']);
});

it('no version can add to them', async () => {
  const add = sql`insert into sandbox_payout (idempotency_key, state, currency, amount, created_at)
    values ('x', 'settled', 'EUR', 1, now())`;
  await expect(scene.sql(add)).rejects.toThrow('permission denied');
});
