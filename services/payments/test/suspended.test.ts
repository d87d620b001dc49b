import assert from 'node:assert/strict';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { OrderingProvider } from '../src/payouts/provider.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
// A process suspended in the middle of a round may resume hours later, when its data is out of date.

const scene = await Scene.open('payments_suspended');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('1000');
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Suspends a round at one point until the test resumes it. */
class Suspension {
  private readonly asleep = Promise.withResolvers<void>();
  private readonly awake = Promise.withResolvers<void>();
  readonly reached = this.asleep.promise;

  async here(): Promise<void> {
    this.asleep.resolve();
    await this.awake.promise;
  }

  wake(): void {
    this.awake.resolve();
  }
}

const killed = (): Promise<never> => Promise.reject(new Error('killed'));

function providerThat(replaced: Partial<OrderingProvider>): OrderingProvider {
  const { sandbox } = scene;
  return { submit: (order) => sandbox.submit(order), lookUp: (order) => sandbox.lookUp(order), ...replaced };
}

/** A payment with an attempt that was not ordered yet, and whose lease has expired. */
async function prepared(destination: string): Promise<string> {
  const id = await workspace.milestone(await workspace.contract(destination), '500.00');
  await scene.round(providerThat({ submit: killed }));
  await scene.passTwoHours();
  return id;
}

async function neverPaid(id: string): Promise<void> {
  const { id: instruction } = await workspace.ask<{ id: string }>(
    'mutation ($id: ID!) { requestOutcome(paymentId: $id, wasPaid: false, reason: "their letter") { id } }',
    { id },
  );
  assert.equal((await workspace.countersign(instruction)).errors, undefined);
}

it('an attempt that ended while the process was suspended is not ordered when it resumes', async () => {
  const id = await prepared('sandbox:stays-under-way');
  const key = await workspace.keyOf(id);
  const suspension = new Suspension();
  const ordered: string[] = [];
  const suspended = scene.round(
    providerThat({
      lookUp: async (order) => {
        const known = await scene.sandbox.lookUp(order);
        await suspension.here();
        return known;
      },
      submit: (order) => {
        ordered.push(order.idempotencyKey);
        return scene.sandbox.submit(order);
      },
    }),
  );
  await suspension.reached;

  await scene.passTwoHours();
  await scene.round();
  scene.sandbox.forget(key);
  await scene.passTwoHours();
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'submitted', alarm: 'not_found' }] });
  await neverPaid(id);
  await workspace.act('requestRetry', id);
  await scene.round();
  const second = key.replace(/1$/, '2');
  await scene.sandbox.finish(second, 'settled');
  await scene.passTwoHours();
  await scene.round();
  expect((await workspace.payment(id)).status).toBe('completed');

  suspension.wake();
  await suspended;
  expect(ordered).toEqual([]);
  expect(
    scene.sandbox.booksOn(key.replace(/1$/, '')).map(({ idempotencyKey, state }) => [idempotencyKey, state]),
  ).toEqual([
    [key, 'declined'],
    [second, 'settled'],
  ]);
});

it('an attempt that got an alarm while the process was suspended is not ordered when it resumes', async () => {
  const id = await prepared('sandbox:iban');
  const suspension = new Suspension();
  const ordered: string[] = [];
  const suspended = scene.round(
    providerThat({
      lookUp: async () => {
        await suspension.here();
        return null;
      },
      submit: (order) => {
        ordered.push(order.idempotencyKey);
        return scene.sandbox.submit(order);
      },
    }),
  );
  await suspension.reached;
  await scene.passTwoHours();
  const other = { amount: { amount: '1.00', currency: 'EUR' } };
  await scene.round(providerThat({ submit: async (order) => await scene.sandbox.submit({ ...order, ...other }) }));
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'prepared', alarm: 'differs' }] });
  suspension.wake();
  await suspended;
  expect(ordered).toEqual([]);
});

it('the provider refuses an order sent after its lease; the next round orders again', async () => {
  const id = await prepared('sandbox:iban');
  const suspension = new Suspension();
  const refused: unknown[] = [];
  const suspended = scene.round(
    providerThat({
      submit: async (order) => {
        await suspension.here();
        return await scene.sandbox.submit(order).catch((error: unknown) => {
          refused.push(error);
          throw error;
        });
      },
    }),
  );
  await suspension.reached;
  await scene.clock.pass(16_000);
  suspension.wake();
  await suspended;
  expect(refused).toMatchObject([{ message: expect.stringContaining('409') as string }]);
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'completed', payoutAttempts: [{ number: 1 }] });
  expect(scene.sandbox.booksOn(await workspace.keyOf(id))).toMatchObject([{ state: 'settled', submissions: 1 }]);
});
