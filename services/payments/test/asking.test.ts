import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OrderingProvider } from '../src/payouts/provider.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

// When the provider is polled about a payout without a callback.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let scene: Scene;
let workspace: TestWorkspace;
// A new database per test, because attempts that stay open are polled indefinitely.
beforeEach(async () => {
  scene = await Scene.open(`payments_asking_${randomUUID().slice(0, 8)}`);
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('100');
});
afterEach(() => scene?.[Symbol.asyncDispose]());

/** The sandbox provider with a count of lookups; it may be unreachable. */
function asked(isReachable = true): OrderingProvider & { looks: number } {
  const provider = {
    looks: 0,
    submit: (order: Parameters<OrderingProvider['submit']>[0]) => scene.sandbox.submit(order),
    lookUp: (...about: Parameters<OrderingProvider['lookUp']>) => {
      provider.looks += 1;
      return isReachable ? scene.sandbox.lookUp(...about) : Promise.reject(new Error('out of reach'));
    },
  };
  return provider;
}

async function underWay(count = 1): Promise<void> {
  const contract = await workspace.contract('sandbox:stays-under-way');
  for (let n = 0; n < count; n++) await workspace.milestone(contract, '10.00');
  await scene.round();
}

it('polls again 15 seconds after a failure, however long the payout has been in progress', async () => {
  await underWay();
  await scene.passTwoHours();
  const outOfReach = asked(false);
  await scene.round(outOfReach);
  expect(outOfReach.looks).toBe(1);
  const provider = asked();
  await scene.clock.pass(15 * SECOND);
  await scene.round(provider);
  expect(provider.looks).toBe(1);
});

it('polls less and less often, but at least once an hour', async () => {
  await underWay();
  const provider = asked();
  await scene.clock.pass(10 * MINUTE);
  await scene.round(provider);
  await scene.clock.pass(9 * MINUTE);
  await scene.round(provider);
  expect(provider.looks).toBe(1);
  await scene.clock.pass(2 * MINUTE);
  await scene.round(provider);
  expect(provider.looks).toBe(2);

  await scene.passTwoHours();
  await scene.round(provider);
  await scene.clock.pass(59 * MINUTE);
  await scene.round(provider);
  expect(provider.looks).toBe(3);
  await scene.clock.pass(2 * MINUTE);
  await scene.round(provider);
  expect(provider.looks).toBe(4);
});

it('after a failed batch, waits for the next round and begins it with other attempts', async () => {
  await underWay(6);
  await scene.passTwoHours();
  const outOfReach = asked(false);
  await scene.round(outOfReach);
  expect(outOfReach.looks).toBe(4);
  const provider = asked();
  await scene.round(provider);
  expect(provider.looks).toBe(2);
});
