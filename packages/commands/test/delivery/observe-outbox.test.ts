import { lookAtOutbox } from '@payroll/messaging';
import { metrics, startMetrics } from '@payroll/telemetry';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SignsOfLife } from '../src/signs-of-life.js';
import { observeConsumer, observeOutbox } from '../src/observe-events.js';
import { openDatabases, type Databases } from './support/databases.js';
import { FakeBus } from './support/fake-bus.js';
import { memoryLog } from './support/memory-log.js';
import { until } from './support/relay-scene.js';
import { tell } from './support/told.js';

let databases: Databases;
beforeAll(async () => {
  databases = await openDatabases('messaging_scraped');
});
afterAll(() => databases[Symbol.asyncDispose]());

const SAMPLE =
  /^payroll_(outbox_unconfirmed_events|outbox_oldest_seconds|dead_letters|consumer_pending_events)(\{.*\})? .*$/gm;

/** Long enough after the one before. */
async function scrape(read: () => Promise<string>): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(5_000);
  return (await read()).match(SAMPLE) ?? [];
}

it('what waits, and for how long, is read at each scrape, and absent when it cannot be', async () => {
  const { em } = databases.payments;
  const bus = new FakeBus();
  bus.jetStream.consumer = {};
  bus.jetStream.state = { num_pending: 3, num_ack_pending: 2 };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { read } = await startMetrics();
  {
    using _outbox = observeOutbox(em);
    using _consumer = observeConsumer(bus.asBus, 'payments', 'review');
    await tell(em, 1);
    await tell(em, 2);
    await em.execute("update outbox_event set recorded_at = now() - interval '400 s', due_at = now()");
    await em.execute(`insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, state)
      select gen_random_uuid(), gen_random_uuid(), 'x', '{}', 'why', now(), state
      from unnest(array['waiting', 'put_back', 'put_aside', 'applied']) as state`);
    const samples = await scrape(read);
    expect(samples).toHaveLength(4);
    expect(samples).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/outbox_unconfirmed_events 2$/),
        expect.stringMatching(/outbox_oldest_seconds 40\d$/),
        expect.stringMatching(/dead_letters 2$/),
        'payroll_consumer_pending_events{publisher="payments"} 5',
      ]),
    );
    expect(await lookAtOutbox(em, 'payments')).toMatchObject([
      { ok: false, seen: expect.stringMatching(/^2 events wait, the oldest for 40\d s$/) },
      { ok: false, seen: '2 dead letters' },
    ]);
    await em.execute("update outbox_event set recorded_at = now() - interval '290 s'");
    expect(await lookAtOutbox(em, 'payments')).toMatchObject([{ ok: true }, { ok: false }]);
    bus.connected = false;
    expect((await scrape(read)).some((line) => line.includes('consumer_pending'))).toBe(false);
  }
  metrics.outboxDue.clear();
  await em.execute('truncate outbox_event, dead_letter');
  expect((await scrape(read)).some((line) => line.includes('outbox_unconfirmed'))).toBe(false);
  expect(await lookAtOutbox(em, 'payments')).toMatchObject([{ ok: true }, { ok: true }]);
  vi.useRealTimers();
});

it('a consumer says that it is there every five seconds, and at once where it matters', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { em } = databases.review;
  const [bus, log] = [new FakeBus(), memoryLog()];
  const place = { num_pending: 0, num_ack_pending: 1_000 };
  const position = (): Promise<never> => Promise.resolve(place as never);
  const parts = { bus: bus.asBus, em, publisher: 'payments', service: 'review', log } as const;
  const said = async (count: number): Promise<unknown[]> => {
    await until(() => bus.said.length >= count);
    return bus.said.map(({ body }) => (body as { alive: { isBehind: boolean } }).alive.isBehind);
  };
  {
    using alive = new SignsOfLife({ ...parts, position });
    expect(await said(1)).toEqual([false]);
    expect(bus.said[0]).toMatchObject({ subject: 'receipts.payments.review' });
    // It was not behind before, and has just said so.
    alive.caughtUp();
    alive.hurry();
    place.num_pending = 1;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await said(2)).toEqual([false, true]);
    await vi.advanceTimersByTimeAsync(999);
    alive.hurry();
    await vi.advanceTimersByTimeAsync(1);
    place.num_pending = 0;
    alive.caughtUp();
    expect(await said(3)).toEqual([false, true, false]);
    await vi.advanceTimersByTimeAsync(1_000);
    alive.caughtUp();
    alive.hurry();
    alive.hurry();
    expect(await said(4)).toEqual([false, true, false, false]);
  }
  await vi.advanceTimersByTimeAsync(20_000);
  expect(bus.said).toHaveLength(4);
  {
    using _alive = new SignsOfLife({ ...parts, position: () => Promise.reject(new Error('no consumer')) });
    await until(() => log.entries.length > 0);
    expect(log.entries).toMatchObject([
      {
        level: 'warn',
        message: 'A publisher was not told that this consumer is there',
        details: { publisher: 'payments', error: { message: 'no consumer' } },
      },
    ]);
  }
  vi.useRealTimers();
});
