import { currentTraceparent, metrics, startTracing, stepOf } from '@payroll/telemetry';
import type { Claimed } from '@payroll/store';
import { NatsError } from 'nats';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventPublisher } from '../src/publisher.js';
import { FakeBus } from './support/fake-bus.js';
import { eventOf } from './support/fake-message.js';
import { memoryLog } from './support/memory-log.js';

let bus: FakeBus;
let log: ReturnType<typeof memoryLog>;
let made: number;
let publisher: EventPublisher;
let streamMade: () => Promise<void>;

beforeEach(() => {
  bus = new FakeBus();
  log = memoryLog();
  made = 0;
  streamMade = () => Promise.resolve(void made++);
  publisher = new EventPublisher({ bus: bus.asBus, service: 'payments', log, streamMade: () => streamMade() });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const claimed = (sequence = 1, traceparent: string | null = null): Claimed => ({
  event: eventOf(sequence),
  attempt: 1,
  history: 'here',
  traceparent,
});

const gone = new NatsError('no responders', '503');

it('events go out into the stream, which is looked for once', async () => {
  const counted: object[] = [];
  using _published = metrics.eventsPublished.connect({ inc: (labels) => void counted.push(labels) });
  expect(await publisher.publish([claimed(1), claimed(2)])).toEqual([]);
  expect(await publisher.publish([claimed(3)])).toEqual([]);
  expect(bus.published.map(({ traceparent }) => traceparent)).toEqual(['', '', '']);
  // Its settings, and its replicas.
  expect(bus.jetStream.looks).toBe(3);
  expect(counted).toEqual(Array(3).fill({ outcome: 'published' }));
  expect([log.entries, made]).toEqual([[], 0]);
});

it('what could not go out is named, with the first reason', async () => {
  const all = [claimed(1), claimed(2), claimed(3)];
  bus.take = ({ id }) => {
    if (id !== all[1]!.event.id) throw new Error(`no room for ${all.findIndex(({ event }) => event.id === id)}`);
  };
  expect(await publisher.publish(all)).toEqual([all[0], all[2]]);
  expect(bus.published).toHaveLength(1);
  expect(log.entries).toMatchObject([
    {
      level: 'warn',
      message: 'Events could not be published; they stay due',
      details: { stream: 'events-payments', events: 2, error: { message: 'no room for 0' } },
    },
  ]);
});

it('a stream that is gone is made again, once, and what it held is offered again before more goes out', async () => {
  await publisher.publish([claimed(1)]);
  bus.jetStream.stream = null;
  bus.take = () => {
    if (!bus.jetStream.stream) throw gone;
  };
  expect(await publisher.publish([claimed(2), claimed(3)])).toEqual([]);
  expect(bus.published).toHaveLength(3);
  expect(bus.jetStream.told.map(([what]) => what)).toEqual(['add']);
  expect(made).toBe(1);
  expect(log.entries).toEqual([{ level: 'info', details: { stream: 'events-payments' }, message: 'Made the stream' }]);
});

it('one that nobody takes, though the stream is there, is not sent for ever', async () => {
  let sent = 0;
  bus.take = () => {
    sent++;
    throw gone;
  };
  expect(await publisher.publish([claimed()])).toHaveLength(1);
  expect(sent).toBe(2);
});

it('another error does not make anybody doubt the stream', async () => {
  bus.take = () => Promise.reject(new Error('no room'));
  await publisher.publish([claimed()]);
  await publisher.publish([claimed()]);
  expect(bus.jetStream.looks).toBe(2 + 1);
});

it('that what was lost could not be offered again is owed, until it could', async () => {
  bus.jetStream.stream = null;
  streamMade = () => Promise.reject(new Error('no database'));
  await expect(publisher.ensureStream()).rejects.toThrow('no database');
  streamMade = () => Promise.resolve(void made++);
  await publisher.ensureStream();
  await publisher.ensureStream();
  expect(made).toBe(1);
  publisher.doubtStream();
  await publisher.ensureStream();
  expect(made).toBe(1);
});

it('those who ask at once share one attempt; a failed one is forgotten', async () => {
  bus.jetStream.isBusy = true;
  const asked = await Promise.allSettled([publisher.ensureStream(), publisher.ensureStream()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(bus.jetStream.looks).toBe(1);
  bus.jetStream.isBusy = false;
  await publisher.ensureStream();
});

it('a change of the stream that NATS refuses is tried again after a quarter of a minute', async () => {
  let now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  bus.jetStream.stream = { ...bus.jetStream.stream, num_replicas: 3 };
  bus.jetStream.refuses = 'update';
  await publisher.ensureStream();
  bus.jetStream.refuses = null;
  now += 15_000;
  await publisher.ensureStream();
  expect(bus.jetStream.told).toEqual([]);
  now += 1;
  await publisher.ensureStream();
  expect(bus.jetStream.told.map(([what]) => what)).toEqual(['update']);
  now += 60_000;
  const { looks } = bus.jetStream;
  await publisher.ensureStream();
  expect(bus.jetStream.looks).toBe(looks);
});

it('without a connection nothing goes out, and nothing is asked', async () => {
  bus.connected = false;
  await expect(publisher.ensureStream()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await publisher.publish([claimed()])).toHaveLength(1);
  bus.connected = true;
  await publisher.ensureStream();
  bus.connected = false;
  expect(await publisher.publish([claimed()])).toHaveLength(1);
  expect(log.entries.at(-1)!.details).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
});

it('an event carries the step of the trace that publishes it', async () => {
  await using _tracing = await startTracing('payments', { ratio: 1, exportEveryMs: 60_000 });
  const traceparent = `00-${'1'.repeat(32)}-${'a'.repeat(16)}-01`;
  await stepOf(traceparent, 'hear', {}, () => publisher.publish([claimed(1, currentTraceparent() ?? null)]));
  expect(bus.published[0]!.traceparent).toMatch(/^00-1{32}-(?!a{16})[0-9a-f]{16}-01$/);
});
