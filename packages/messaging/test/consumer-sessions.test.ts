import { EventConsumer } from '@payroll/messaging';
import { readHistory } from '@payroll/store';
import { ConsumerEvents } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { consumerSettings } from '../src/streams.js';
import { openDatabases, type Databases } from './support/databases.js';
import { FakeBus } from './support/fake-bus.js';
import { eventOf, messageOf } from './support/fake-message.js';
import { memoryLog } from './support/memory-log.js';
import { runnerOf, see, seen } from './support/told.js';

/** What NATS gives a consumer, from one connect to the next. */
class Session {
  readonly ended = Promise.withResolvers<Error | undefined>();
  private readonly told = Promise.withResolvers<string>();

  constructor(readonly options: { callback: (message: unknown) => void }) {}

  close = (): Promise<void> => Promise.resolve(this.ended.resolve(undefined));
  closed = (): Promise<Error | undefined> => this.ended.promise;
  status = async () => {
    const { told } = this;
    return await Promise.resolve(
      (async function* () {
        yield { type: 'of no importance' };
        yield { type: await told.promise };
      })(),
    );
  };
  say = (type: string): void => this.told.resolve(type);
}

let databases: Databases;
let bus: FakeBus;
let log: ReturnType<typeof memoryLog>;
let sessions: Session[];
let consumer: EventConsumer;

beforeAll(async () => {
  databases = await openDatabases('messaging_sessions');
});
afterAll(() => databases[Symbol.asyncDispose]());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  bus = new FakeBus();
  bus.jetStream.consumer = { ...consumerSettings };
  place(0, 0);
  log = memoryLog();
  sessions = [];
  bus.consume = (options) => {
    sessions.push(new Session(options as Session['options']));
    return Promise.resolve(sessions.at(-1));
  };
});
afterEach(async () => {
  await consumer[Symbol.asyncDispose]();
  vi.useRealTimers();
});

/** Where the consumer is in the stream. */
function place(delivered: number, pending: number): void {
  const [deliveredTo, acknowledged] = [{ stream_seq: delivered }, { stream_seq: 0 }];
  bus.jetStream.state = { num_pending: pending, num_ack_pending: 0, delivered: deliveredTo, ack_floor: acknowledged };
}

function start(): void {
  const { em } = databases.review;
  const appliedBy = { 'payment.created': see() };
  const parts = { bus: bus.asBus, em, publisher: 'payments', service: 'review', log } as const;
  consumer = new EventConsumer({ ...parts, commands: runnerOf(em), appliedBy });
}

const session = async (count: number): Promise<Session> => {
  await expect.poll(() => sessions).toHaveLength(count);
  return sessions.at(-1)!;
};

it('takes what comes, in short pulls, and is ready at once where nothing waits', async () => {
  start();
  const { options } = await session(1);
  expect(options).toMatchObject({
    max_messages: 64,
    expires: 10_000,
    idle_heartbeat: 2_500,
    abort_on_missing_resource: true,
  });
  await consumer.ready;
  expect(consumer.isReady).toBe(true);
  const history = await readHistory(databases.review.em);
  const { message, answers } = messageOf(eventOf(7), { history });
  options.callback(message);
  await expect.poll(() => answers).toEqual(['ack']);
  expect(await seen(databases.review.em)).toEqual([7]);
});

it('is ready when what waited at its start has been taken', async () => {
  place(0, 3);
  start();
  await session(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(consumer.isReady).toBe(false);
  place(3, 0);
  await vi.waitUntil(() => consumer.isReady);
  await consumer.ready;
  const { looks } = bus.jetStream;
  await vi.advanceTimersByTimeAsync(1_000);
  // Nobody looks any more.
  expect(bus.jetStream.looks).toBeLessThanOrEqual(looks + 1);
});

it('is ready where the publisher has made no stream yet, says so once, and looks again', async () => {
  bus.jetStream.isMissing = true;
  start();
  await consumer.ready;
  await expect.poll(() => bus.jetStream.looks).toBeGreaterThan(3);
  expect(log.entries).toEqual([
    {
      level: 'info',
      details: { stream: 'events-payments', failures: 1 },
      message: 'Waiting for the publisher to make its stream',
    },
  ]);
  bus.jetStream.isMissing = false;
  await session(1);
});

it('tries again when its session fails, ever more slowly, and says so about once a minute', async () => {
  place(0, 1);
  bus.jetStream.isBusy = true;
  start();
  await expect.poll(() => log.entries).toHaveLength(1);
  expect(log.entries).toMatchObject([
    {
      level: 'warn',
      message: 'The stream cannot be consumed; trying again',
      details: { stream: 'events-payments', failures: 1, error: { message: 'busy' } },
    },
  ]);
  expect(consumer.isReady).toBe(false);
  let { looks } = bus.jetStream;
  // The back-off varies by an eighth.
  await vi.advanceTimersByTimeAsync(200);
  expect(bus.jetStream.looks).toBe(looks);
  for (let n = 2; n <= 30; n++) {
    looks = bus.jetStream.looks;
    await vi.advanceTimersByTimeAsync(2_250);
    expect(bus.jetStream.looks).toBeGreaterThan(looks);
  }
  await expect.poll(() => log.entries.length).toBe(2);
  expect(log.entries[1]!.details).toMatchObject({ failures: 31 });
  bus.jetStream.isBusy = false;
  (await session(1)).ended.resolve(new Error('the consumer was deleted'));
  await session(2);
  expect(log.entries).toHaveLength(2);
});

it('says at once when a session fails that had gone well for a minute', async () => {
  start();
  (await session(1)).ended.resolve(new Error('the consumer was deleted'));
  const second = await session(2);
  await vi.advanceTimersByTimeAsync(60_001);
  second.ended.resolve(new Error('the consumer was deleted again'));
  await session(3);
  expect(log.entries.map(({ details }) => details)).toMatchObject([
    { failures: 1, error: { message: 'the consumer was deleted' } },
    { failures: 1, error: { message: 'the consumer was deleted again' } },
  ]);
});

it('ends its session when the connection is lost, and begins another on the next one', async () => {
  start();
  const first = await session(1);
  bus.disconnect();
  await first.ended.promise;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sessions).toHaveLength(1);
  bus.reconnect();
  await new Promise(setImmediate);
  await session(2);
  expect(log.of('warn')).toEqual([]);
});

it('ends its session at once where the connection was lost, or it was ended, while that began', async () => {
  const { consume } = bus;
  bus.consume = async (options) => {
    bus.connected = false;
    return await consume(options);
  };
  start();
  await (
    await session(1)
  ).ended.promise;
  bus.consume = async (options) => {
    void consumer[Symbol.asyncDispose]();
    return await consume(options);
  };
  bus.reconnect();
  await (
    await session(2)
  ).ended.promise;
});

it('ends its session when the server has gone silent', async () => {
  start();
  const first = await session(1);
  first.say('another word');
  await new Promise(setImmediate);
  await first.close();
  const second = await session(2);
  second.say(ConsumerEvents.HeartbeatsMissed);
  await second.ended.promise;
  await session(3);
});

it('ends when what it has in hand is done, and listens to nobody any more', async () => {
  start();
  await session(1);
  await consumer[Symbol.asyncDispose]();
  await sessions[0]!.ended.promise;
  expect(bus.listening).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sessions).toHaveLength(1);
});
