import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, newId } from '@payroll/kernel';
import type { EventRunner } from '@payroll/messaging';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { Gate } from './support/gate.js';
import { Scene, type Publisher } from './support/scene.js';
import { deadLetters, numbers, outbox, runnerOf, see, seen, tell } from './support/told.js';

// Events of one workspace that came while another one was applied.

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_together');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 30_000 };

/** Says how many events each transaction had, and applied for the first time if it had several; the first one waits at the gate. */
function watched(gate?: Gate): EventRunner & { sizes: number[]; fresh: number[] } {
  const runner = runnerOf(scene.review.em);
  const sizes: number[] = [];
  const fresh: number[] = [];
  const taken = async <T>(size: number, work: () => Promise<T>): Promise<T> => {
    if (sizes.push(size) === 1) await gate?.pass();
    return await work();
  };
  return {
    sizes,
    fresh,
    apply: (...what) => taken(1, () => runner.apply(...what)),
    applyAll: (items) =>
      taken(items.length, async () => {
        const all = await runner.applyAll(items);
        fresh.push(all.filter((each) => each === 'applied').length);
        return all;
      }),
  };
}

/** One after the other, so that they come in this order. */
async function tellAll({ relay }: Publisher, upTo: number, workspaceId = newId()): Promise<void> {
  const events: Parameters<typeof relay.deliver>[0][number][] = [];
  for (const number of numbers(1, upTo)) {
    await tell(scene.payments.em, number, (claimed) => Promise.resolve(void events.push(...claimed)), { workspaceId });
  }
  await relay.deliver(events);
}

async function expectAllConfirmed(): Promise<void> {
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
}

it('are applied in one transaction, in their order; the first one waited for nobody', async () => {
  await using publisher = scene.publisher();
  const gate = new Gate();
  const commands = watched(gate);
  const order: number[] = [];
  await using consumer = scene.consumer({ commands, command: see(({ sequence }) => void order.push(sequence)) });
  await consumer.consumer.ready;
  const workspaceId = newId();
  await tell(scene.payments.em, 0, undefined, { workspaceId });
  await gate.reached;
  await tellAll(publisher, 20, workspaceId);
  gate.open();
  await expectAllConfirmed();
  expect(commands.sizes).toEqual([1, 20]);
  expect(order).toEqual(numbers(0, 20));
  expect(await seen(scene.review.em)).toEqual(numbers(0, 20));
});

it('one bad event among fifty is buried alone, and the others are applied once', async () => {
  await using publisher = scene.publisher();
  const command = see(({ sequence }) => {
    if (sequence === 25) throw new DomainError('INVALID_STATE', 'cannot be applied');
  });
  const commands = watched();
  await using _consumer = scene.consumer({ commands, command });
  await tellAll(publisher, 50);
  await expectAllConfirmed();
  expect(Math.max(...commands.sizes)).toBeGreaterThan(1);
  expect(await seen(scene.review.em)).toEqual(numbers(1, 50).filter((number) => number !== 25));
  expect(await deadLetters(scene.review.em)).toEqual([{ type: 'payment.created', reason: 'cannot be applied' }]);
});

it('a connection that is cut amid them loses none and applies none twice', async () => {
  await using publisher = scene.publisher();
  await using stack = new AsyncDisposableStack();
  const admin = stack.adopt(new Client(inject('backends').adminUrl), (client) => client.end());
  await admin.connect();
  let cuts = 0;
  const command = see(async ({ sequence }) => {
    if (sequence !== 15 || ++cuts > 3) return;
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = $2', [
      'messaging_together',
      'review',
    ]);
  });
  await using _consumer = scene.consumer({ command });
  await tellAll(publisher, 30);
  await expectAllConfirmed();
  expect(cuts).toBeGreaterThan(3);
  expect(await seen(scene.review.em)).toEqual(numbers(1, 30));
  expect(await deadLetters(scene.review.em)).toEqual([]);
});

it('several consumers that get the same events at the same time apply each once', async () => {
  await using publisher = scene.publisher();
  await using _first = scene.consumer();
  await using _second = scene.consumer();
  const workspaceId = newId();
  await tellAll(publisher, 40, workspaceId);
  // Again, before they are confirmed: the streams hands them to whichever consumer asks first.
  for (const _ of [1, 2, 3])
    await sql`update outbox_event set due_at = clock_timestamp() where due_at is not null`.execute(
      scene.payments.em.getKysely(),
    );
  await expectAllConfirmed();
  expect(await seen(scene.review.em)).toEqual(numbers(1, 40));
  expect(scene.log.of('warn')).not.toContain('Events are applied one by one');
});

it('a transaction that takes long makes the next one smaller: it keeps other writes of the workspace waiting', async () => {
  await using publisher = scene.publisher();
  const commands = watched();
  await using _consumer = scene.consumer({ commands, command: see(() => pause(20)) });
  await tellAll(publisher, 60);
  await expectAllConfirmed();
  // Nothing is known until several were applied together: that transaction may be as large as it likes.
  const first = commands.fresh.findIndex((size) => size > 1);
  expect(first).not.toBe(-1);
  expect(Math.max(...commands.fresh.slice(first + 1))).toBeLessThanOrEqual(5);
  expect(await seen(scene.review.em)).toEqual(numbers(1, 60));
});

it('a consumer that stops amid them leaves none behind that its successor does not get', async () => {
  await using publisher = scene.publisher();
  const gate = new Gate();
  const first = scene.consumer({ commands: watched(gate) });
  await tellAll(publisher, 60);
  await gate.reached;
  const stopped = first[Symbol.asyncDispose]();
  gate.open();
  await stopped;
  await using _second = scene.consumer();
  await expect.poll(() => seen(scene.review.em), { timeout: 40_000 }).toEqual(numbers(1, 60));
}, 60_000);
