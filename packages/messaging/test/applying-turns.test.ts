import { newId, unavailable } from '@payroll/kernel';
import { metrics } from '@payroll/telemetry';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApplierScene } from './support/applier-scene.js';
import { eventOf, messageOf } from './support/fake-message.js';

let scene: ApplierScene;
beforeEach(() => {
  scene = new ApplierScene();
});

it('events of one workspace that came together are applied together, those of others beside them', async () => {
  const workspaceId = newId();
  const applier = scene.applier();
  for (let n = 1; n <= 3; n++)
    applier.enqueue(messageOf(eventOf(n, workspaceId), { sequence: n }).message, scene.alive);
  applier.enqueue(messageOf(eventOf(4), { sequence: 4 }).message, scene.alive);
  await applier.idle();
  expect(scene.asked).toEqual([3, expect.any(String)]);
  expect(scene.bus.said).toHaveLength(4);
});

it('a transaction that held the workspace for long makes the next one smaller; what is fast may grow again', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const workspaceId = newId();
  const applier = scene.applier();
  let tookMs = 1_000;
  scene.together = () => void (now += tookMs);
  const run = async (count: number): Promise<void> => {
    scene.asked.length = 0;
    for (let n = 1; n <= count; n++)
      applier.enqueue(messageOf(eventOf(n, workspaceId), { sequence: n }).message, scene.alive);
    await applier.idle();
  };
  try {
    await run(60);
    // 50 in a second: five in the tenth of a second that a workspace may be held for. One that is fast makes room again.
    expect(scene.asked).toEqual([50, 5, expect.any(String), 4]);
    tookMs = 1;
    await run(3);
    expect(scene.asked).toEqual([expect.any(String), 2]);
  } finally {
    vi.restoreAllMocks();
  }
});

it('one that waited so long that it is being delivered again is left to that', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const applier = scene.applier();
  const { message, answers } = messageOf(eventOf());
  applier.enqueue(message, scene.alive);
  now = 25_001;
  await applier.idle();
  vi.restoreAllMocks();
  expect([answers, scene.asked]).toEqual([[], []]);
});

it('a consumer has caught up once the last is out of the stream, and says so', async () => {
  scene.catchUp.begin({ num_pending: 2, delivered: { stream_seq: 0 }, ack_floor: { stream_seq: 0 } });
  const applier = scene.applier();
  scene.came = () => Promise.reject(unavailable('The database'));
  const event = eventOf();
  await scene.answersTo(event, { sequence: 1, pending: 1 }, applier);
  expect(scene.signs).toEqual([]);
  const position = { num_pending: 0, delivered: { stream_seq: 2 }, ack_floor: { stream_seq: 0 } };
  scene.came = () => 'applied';
  await scene.answersTo(eventOf(), { sequence: 2, pending: 0 }, applier);
  expect(scene.signs).toEqual(['caught up']);
  scene.catchUp.observe(position);
  expect(scene.catchUp.isDone).toBe(false);
  await scene.answersTo(event, { sequence: 1, pending: 0 }, applier);
  scene.catchUp.observe(position);
  expect(scene.catchUp.isDone).toBe(true);
});

it('what came of events is counted, with how long they took to come', async () => {
  const counted: object[] = [];
  const delays: number[] = [];
  using _applied = metrics.eventsApplied.connect({ inc: (labels) => void counted.push(labels) });
  using _delay = metrics.eventDelay.connect({ observe: (_labels, seconds) => void delays.push(seconds) });
  await scene.answersTo({ ...eventOf(), occurredAt: new Date(Date.now() - 60_000).toISOString() });
  await scene.answersTo({ ...eventOf(), type: 'payment.reversed' });
  scene.came = () => Promise.reject(unavailable('The database'));
  await scene.answersTo(eventOf());
  expect(counted).toEqual([
    { type: 'payment.created', outcome: 'applied' },
    { type: 'unknown', outcome: 'held' },
    { type: 'payment.created', outcome: 'postponed' },
  ]);
  expect(delays.map(Math.round)).toEqual([60]);
});
