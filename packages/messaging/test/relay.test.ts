import { as, read, readHistory, sql, type Claimed } from '@payroll/store';
import { metrics } from '@payroll/telemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isDone, RelayScene, until } from './support/relay-scene.js';
import { numbers, outbox, tell } from './support/told.js';

let scene: RelayScene;
beforeAll(async () => {
  scene = await RelayScene.open('messaging_relay');
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.begin());
afterEach(() => scene.end());

describe('what a command has committed', () => {
  beforeEach(() => scene.start());

  it('goes out at once, and the answer waits until its consumers have it', async () => {
    const counted: unknown[] = [];
    using _waits = metrics.receiptWaits.connect({ observe: (labels) => void counted.push(labels) });
    const told = tell(scene.em, 1, scene.deliver);
    await expect.poll(() => scene.sequences).toEqual([1]);
    const [published] = scene.bus.published;
    const history = await readHistory(scene.em);
    expect(published).toMatchObject({ subject: 'events.payments.payment.created', history });
    expect(published).toMatchObject({ streamName: 'events-payments', msgID: `${published!.event.id}:1:${history}` });
    expect(await isDone(told)).toBe(false);
    scene.bus.confirm(published!);
    await told;
    expect(counted).toEqual([{ outcome: 'confirmed' }]);
    await vi.advanceTimersByTimeAsync(100);
    await expect.poll(() => outbox(scene.em)).toEqual({ open: 0, attempts: 1 });
  });

  it('is waited for no longer than a second, and confirmed later all the same', async () => {
    const counted: unknown[] = [];
    using _waits = metrics.receiptWaits.connect({ observe: (labels) => void counted.push(labels) });
    const told = tell(scene.em, 1, scene.deliver);
    await expect.poll(() => scene.sequences).toEqual([1]);
    expect(await isDone(told)).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await told;
    expect(counted).toEqual([{ outcome: 'late' }]);
    scene.bus.confirm(scene.bus.published[0]!);
    await vi.advanceTimersByTimeAsync(100);
    await expect.poll(() => outbox(scene.em)).toMatchObject({ open: 0 });
  });

  it('is not waited for where nobody can see whether it arrived', async () => {
    await scene.tellUnawaited(1);
    await expect.poll(() => scene.sequences).toEqual([1]);
  });

  it('and what is nothing is not published', async () => {
    await scene.relay.deliver([]);
    expect(scene.bus.published).toEqual([]);
  });

  it('is given back to the poll while NATS cannot be reached, and the answer does not wait', async () => {
    scene.bus.connected = false;
    expect(scene.relay.isOpen).toBe(false);
    await tell(scene.em, 1, scene.deliver);
    expect(await scene.rows()).toEqual([{ attempt: 0, dueIn: 1 }]);
    expect(scene.bus.published).toEqual([]);
  });

  it('and could not go out is given back, said, and not waited for', async () => {
    const counted: unknown[] = [];
    using _published = metrics.eventsPublished.connect({ inc: (labels) => void counted.push(labels) });
    scene.bus.take = () => Promise.reject(new Error('no room'));
    await tell(scene.em, 1, scene.deliver);
    expect(await scene.rows()).toEqual([{ attempt: 0, dueIn: 1 }]);
    expect(scene.log.of('warn')).toEqual(['Events could not be published; they stay due']);
    expect(counted).toEqual([{ outcome: 'failed' }]);
  });

  it('and could not all go out is waited for in so far as it did', async () => {
    scene.bus.take = (event) => {
      if ((event.body as { sequence: number }).sequence === 2) throw new Error('no room');
    };
    const claimed: Claimed[] = [];
    for (const n of [1, 2]) await tell(scene.em, n, (events) => Promise.resolve(void claimed.push(...events)));
    const delivered = scene.relay.deliver(claimed);
    await expect.poll(() => scene.sequences).toEqual([1]);
    await expect
      .poll(() => scene.rows())
      .toEqual([
        { attempt: 1, dueIn: 10 },
        { attempt: 0, dueIn: 1 },
      ]);
    expect(await isDone(delivered)).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await delivered;
  });

  it('stays claimed until its lease is over where it cannot even be given back', async () => {
    scene.bus.connected = false;
    await tell(scene.em, 1, ([event]) => scene.relay.deliver([{ ...event!, event: { ...event!.event, id: 'no id' } }]));
    expect(await scene.rows()).toEqual([{ attempt: 1, dueIn: 10 }]);
    expect(scene.log.of('warn')).toEqual(['Events wait until their lease is over']);
  });
});

describe('what is due', () => {
  it('goes out in the order in which it happened, however much there is, in one go', async () => {
    await Promise.all(numbers(1, 250).map((n) => tell(scene.em, n)));
    const inOrder = await read(
      scene.em,
      sql`select ${as('n', 'int', sql`(body->'body'->>'sequence')`)} from outbox_event order by recorded_at, id`,
    );
    await scene.start();
    await until(() => scene.bus.published.length === 250);
    expect(scene.sequences).toEqual(inOrder.map(({ n }) => n));
    expect(await scene.rows()).toEqual(numbers(1, 250).map(() => ({ attempt: 1, dueIn: 10 })));
  });

  it('goes out a second later where it came from another process', async () => {
    await scene.start();
    await tell(scene.em, 1);
    expect(scene.bus.published).toEqual([]);
    await expect.poll(async () => (await vi.advanceTimersByTimeAsync(1_000), scene.sequences)).toEqual([1]);
  });

  it('goes out on a connect, after the stream has been looked for', async () => {
    scene.bus.connected = false;
    await scene.start();
    await tell(scene.em, 1);
    expect(scene.bus.jetStream.looks).toBe(0);
    scene.bus.jetStream.stream = null;
    scene.bus.reconnect();
    await expect.poll(() => scene.sequences).toEqual([1]);
    expect(scene.bus.jetStream.told).toMatchObject([['add', { name: 'events-payments' }]]);
  });

  it('goes out again when the stream was lost, also what was on its way', async () => {
    await scene.start();
    await scene.tellUnawaited(1);
    await expect.poll(() => scene.sequences).toEqual([1]);
    await scene.em.execute("update outbox_event set due_at = due_at + interval '1 hour'");
    scene.bus.jetStream.stream = null;
    scene.bus.reconnect();
    const history = await readHistory(scene.em);
    await expect.poll(async () => (await scene.rows())[0]!.dueIn).toBeLessThanOrEqual(0);
    // For a consumer that is there and has nothing to do.
    scene.bus.hear('review', { alive: { session: crypto.randomUUID(), history, isBehind: false } });
    await expect.poll(async () => (await vi.advanceTimersByTimeAsync(1_000), scene.sequences)).toEqual([1, 1]);
    expect(scene.log.of('info')).toContain('Made the stream');
  });

  it('and was published before waits for a consumer that is there, in this history, and has nothing left to take', async () => {
    await scene.start();
    await tell(scene.em, 1);
    await scene.em.execute('update outbox_event set attempt = 1');
    const [history, session] = [await readHistory(scene.em), crypto.randomUUID()];
    const round = async (): Promise<unknown[]> => (
      await vi.advanceTimersByTimeAsync(1_000),
      await isDone(scene.relay.deliver([])),
      scene.sequences
    );
    scene.bus.hear('review', { alive: { session, history, isBehind: true } });
    for (const _ of numbers(1, 3)) expect(await round()).toEqual([]);
    scene.bus.hear('review', { alive: { session, history, isBehind: false } });
    await expect.poll(round).toEqual([1]);
  });

  it('and was published is offered again to a consumer that is in another history of its database', async () => {
    await scene.start();
    await scene.tellUnawaited(1);
    const sign = (history: string) => ({ alive: { session: crypto.randomUUID(), history, isBehind: false } });
    scene.bus.hear('review', sign('of before'));
    expect(await scene.rows()).toEqual([{ attempt: 1, dueIn: 10 }]);
    scene.bus.hear('review', sign('of after'));
    await expect.poll(() => scene.rows()).toEqual([{ attempt: 1, dueIn: 0 }]);
    expect(scene.log.of('info')).toContain(
      'A consumer is in another history of the database: what it may lack is offered again',
    );
  });

  it('waits while the stream cannot be made, which is said', async () => {
    scene.bus.jetStream.isBusy = true;
    await scene.start();
    await expect.poll(() => scene.log.of('warn')).toContain('The outbox could not be published; trying again');
  });
});

it('ends when all that is going out has gone out, and listens to nobody any more', async () => {
  await scene.start();
  const gate = Promise.withResolvers<void>();
  scene.bus.take = () => gate.promise;
  void tell(scene.em, 1, scene.deliver);
  await expect.poll(() => scene.rows()).toHaveLength(1);
  await new Promise(setImmediate);
  const ended = scene.relay[Symbol.asyncDispose]();
  expect(scene.relay.isOpen).toBe(false);
  expect(await isDone(ended)).toBe(false);
  gate.resolve();
  await ended;
  expect(scene.sequences).toEqual([1]);
  expect(scene.bus.listening).toBe(0);
});
