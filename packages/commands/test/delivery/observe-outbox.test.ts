import { checkOutbox } from '@payroll/commands';
import { startMetrics } from '@payroll/runtime';
import { afterAll, expect, it, vi } from 'vitest';
import { observeOutbox } from '../../src/outbox/observe-outbox.js';
import { openDatabases } from './databases.js';
import { emit } from './events.js';

const databases = await openDatabases('commands_observed');
afterAll(() => databases[Symbol.asyncDispose]());

const SAMPLE = /^payroll_(outbox_waiting_events|outbox_oldest_seconds|dead_letters)(\{.*\})? .*$/gm;

/** Waits long enough since the last scrape for a new reading. */
async function scrape(read: () => Promise<string>): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(5_000);
  return (await read()).match(SAMPLE) ?? [];
}

it('a scrape reports waiting events and their age per consumer; doctor reports old ones', async () => {
  const { em } = databases.payments;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { read } = await startMetrics();
  using _outbox = observeOutbox(em, ['review', 'contracts']);
  await emit(em, 1);
  await emit(em, 2);
  await em.execute("update outbox_delivery set recorded_at = now() - interval '400 s'");
  await em.execute(`insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at, state)
    select gen_random_uuid(), gen_random_uuid(), 'x', '{}', 'why', now(), state
    from unnest(array['waiting', 'put_back', 'put_aside', 'applied']) as state`);
  expect(await scrape(read)).toEqual(
    expect.arrayContaining([
      'payroll_outbox_waiting_events{consumer="review"} 2',
      'payroll_outbox_waiting_events{consumer="contracts"} 0',
      expect.stringMatching(/outbox_oldest_seconds\{consumer="review"\} 40\d$/),
      'payroll_outbox_oldest_seconds{consumer="contracts"} 0',
      'payroll_dead_letters 2',
    ]),
  );
  expect(await checkOutbox(em, 'payments')).toMatchObject([
    { ok: false, seen: expect.stringMatching(/^2 events wait for review, the oldest for 40\d s$/) as string },
    { ok: false, seen: '2 dead letters' },
  ]);
  await em.execute("update outbox_delivery set recorded_at = now() - interval '290 s'");
  expect(await checkOutbox(em, 'payments')).toMatchObject([{ ok: true }, { ok: false }]);
  await em.execute('truncate outbox_event, outbox_delivery, dead_letter');
  // A reading that takes longer than two seconds is missing, which can happen on a busy machine.
  await expect.poll(() => scrape(read)).toContain('payroll_outbox_waiting_events{consumer="review"} 0');
  expect(await checkOutbox(em, 'payments')).toMatchObject([{ ok: true }, { ok: true }]);
  vi.useRealTimers();
});
