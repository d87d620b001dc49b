import { newId } from '@payroll/kernel';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, describe, expect, inject, it } from 'vitest';
import type { OrderingProvider } from '../src/payouts/provider.js';
import { Histories } from './support/histories.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

const [RUNS, TIMEOUT_MS] = inject('isLongRun') ? [60, 3_600_000] : [3, 180_000];

/** The contracts of the work; they exist before every backup. */
const contracts: Contract[] = [];

const SCRIPTS = [
  'sandbox:iban',
  'sandbox:declines-once',
  'sandbox:answer-lost',
  'sandbox:order-lost',
  'sandbox:settles-later',
];

const histories = await Histories.begin('payments_histories');
const workspace = await TestWorkspace.open(histories.scene);
const workspaceId = workspace.id;
await workspace.fund('1000');
for (const script of SCRIPTS) contracts.push(await workspace.contract(script));
const beginning = await histories.backUp();
afterAll(() => histories[Symbol.asyncDispose]());

/** The workspace in the current database generation. */
const now = (): TestWorkspace => new TestWorkspace(histories.scene, workspaceId);

interface Known {
  key: string;
  amount: string;
  state: string;
}

/** The provider's orders for a piece of work. */
function booksOn(milestoneId: string): Known[] {
  const orders = histories.outside.booksOn(`milestone:${milestoneId}:`);
  return orders.map(({ idempotencyKey: key, amount, state }) => ({ key, amount, state }));
}

async function rounds(count: number, provider: OrderingProvider = histories.outside): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await histories.scene.round(provider);
    await histories.scene.passTwoHours();
  }
}

describe('work paid out before its approval was lost in a restore', () => {
  it('has the same payment and payout when approved again: it is paid once', async () => {
    const milestoneId = newId();
    const first = await now().milestone(contracts[0]!, '10.00', 'EUR', milestoneId);
    await rounds(1);
    expect((await now().payment(first)).status).toBe('completed');
    await histories.restore(beginning);
    const second = await now().milestone(contracts[0]!, '10.00', 'EUR', milestoneId);
    expect(second).toBe(first);
    await rounds(1);
    expect(await now().payment(second)).toMatchObject({ status: 'completed', payoutAttempts: [{ alarm: null }] });
    expect(booksOn(milestoneId)).toEqual([{ key: `milestone:${milestoneId}:1`, amount: '10.00', state: 'settled' }]);
    expect(await now().accounts()).toMatchObject({ 'EUR/available': '990.00', 'EUR/settled': '10.00' });
  });

  it.each([
    ['amount', 0, '12.00'],
    ['destination', 1, '10.00'],
  ])(
    'waits for a person when it is approved with another %s: neither completed nor ordered again',
    async (_, n, amount) => {
      const milestoneId = newId();
      await histories.startOver(beginning);
      await now().milestone(contracts[0]!, '10.00', 'EUR', milestoneId);
      await rounds(1);
      await histories.restore(beginning);
      const id = await now().milestone(contracts[n]!, amount, 'EUR', milestoneId);
      await rounds(3);
      const waiting = { status: 'processing', payoutAttempts: [{ number: 1, status: 'submitted', alarm: 'differs' }] };
      expect(await now().payment(id)).toMatchObject(waiting);
      expect(booksOn(milestoneId)).toEqual([{ key: `milestone:${milestoneId}:1`, amount: '10.00', state: 'settled' }]);
      expect(await now().accounts()).toMatchObject({ 'EUR/in_flight': amount });
    },
  );
});

const killed = (): Promise<never> => Promise.reject(new Error('killed'));

/** A provider whose calls fail before or after reaching it, or not at all. */
function provider(dies: 'before' | 'after' | 'never'): OrderingProvider {
  const sandbox = histories.outside;
  if (dies === 'never') return sandbox;
  const submit: OrderingProvider['submit'] = (order) =>
    dies === 'before' ? killed() : sandbox.submit(order).then(killed);
  return { submit, lookUp: (order) => sandbox.lookUp(order) };
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      work: fc.nat({ max: 3 }),
      amount: fc.constantFrom('10.00', '10.00', '10.00', '12.00'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('round' as const),
      dies: fc.constantFrom('before', 'after', 'never', 'never'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('retry' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('back up' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), pick: fc.nat() }) },
);

it(
  'under any sequence of restores, work is paid at most once and completed only as paid',
  { timeout: TIMEOUT_MS },
  async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }), async (steps) => {
      await histories.startOver(beginning);
      const works = [0, 1, 2, 3].map((n) => ({ milestoneId: newId(), contract: contracts[n]! }));
      const backups = [beginning];
      for (const one of [...steps, ...Array<Step>(4).fill({ do: 'round', dies: 'never' })])
        await take(one, works, backups);
      await judge(works);
    });
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
interface Work {
  milestoneId: string;
  contract: Contract;
}

async function take(one: Step, works: Work[], backups: string[]): Promise<void> {
  switch (one.do) {
    case 'approve': {
      const { milestoneId, contract } = works[one.work]!;
      // It may already be approved in this generation.
      if ((await paymentsOf(milestoneId)).length === 0) await now().milestone(contract, one.amount, 'EUR', milestoneId);
      return;
    }
    case 'round':
      return await rounds(1, provider(one.dies as 'before' | 'after' | 'never'));
    case 'retry': {
      const payments = (await Promise.all(works.map(({ milestoneId }) => paymentsOf(milestoneId)))).flat();
      for (const { id, status } of payments) if (status === 'failed') await now().act('requestRetry', id);
      return;
    }
    case 'back up':
      backups.push(await histories.backUp());
      return;
    case 'restore':
      return await histories.restore(backups[one.pick % backups.length]!);
  }
}

async function judge(works: readonly Work[]): Promise<void> {
  for (const { milestoneId } of works) {
    const books = booksOn(milestoneId);
    const paid = books.filter(({ state }) => state === 'settled');
    expect(paid.length).toBeLessThanOrEqual(1);
    for (const { status, net } of await paymentsOf(milestoneId)) {
      if (status === 'completed') expect(paid.map(({ amount }) => amount)).toEqual([net]);
    }
  }
}

async function paymentsOf(milestoneId: string): Promise<{ id: string; status: string; net: string }[]> {
  return await histories.scene.sql(sql<{ id: string; status: string; net: string }>`
    select id, status, net from payment where source_id = ${milestoneId}`);
}
