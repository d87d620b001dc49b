import { connectNats, type Bus } from '@payroll/bus';
import { startNatsCluster, type NatsCluster } from '@payroll/infra/test-cluster';
import { EventConsumer, OutboxRelay } from '@payroll/messaging';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabases, type Databases } from './support/databases.js';
import { memoryLog } from './support/memory-log.js';
import { numbers, outbox, runnerOf, see, seen, tell } from './support/told.js';

const WAIT = { timeout: 40_000 };
const TEST_MS = 60_000;

let cluster: NatsCluster;
let databases: Databases;
let started: AsyncDisposableStack;
let count = 0;

beforeEach(async () => {
  started = new AsyncDisposableStack();
  cluster = started.use(await startNatsCluster());
  databases = started.use(await openDatabases(`messaging_cluster_${count++}`));
  const { em } = databases.review;
  const about = { publisher: 'payments', service: 'review', appliedBy: { 'payment.created': see() } } as const;
  const parts = { bus: busOf('review'), em, commands: runnerOf(em), log: memoryLog() };
  started.use(new EventConsumer({ ...about, ...parts }));
});
afterEach(() => started.disposeAsync());

function busOf(name: 'payments' | 'review'): Bus {
  const { urls, caFile } = cluster;
  return started.use(connectNats({ url: urls[name], caFile, name, log: memoryLog() }));
}

function publisher(replicas: number): OutboxRelay {
  const { em } = databases.payments;
  return new OutboxRelay({ bus: busOf('payments'), em, service: 'payments', replicas, log: memoryLog() });
}

async function tellMany(relay: OutboxRelay, from: number, to: number): Promise<void> {
  const { em } = databases.payments;
  await Promise.all(numbers(from, to).map((n) => tell(em, n, (events) => relay.deliver(events))));
}

async function expectArrived(upTo: number): Promise<void> {
  await expect.poll(() => outbox(databases.payments.em), WAIT).toMatchObject({ open: 0 });
  expect(await seen(databases.review.em)).toEqual(numbers(1, upTo));
}

/** The stream and where its consumer stands: on three servers, each with all of it. */
async function expectOnThree(): Promise<void> {
  const stream = async (): Promise<object> => await cluster.stream('payments').catch(() => ({}));
  const consumer = async (): Promise<object> => await cluster.consumer('payments', 'review').catch(() => ({}));
  await expect.poll(stream, WAIT).toMatchObject({ replicas: 3, isCurrent: true });
  await expect.poll(consumer, WAIT).toMatchObject({ replicas: 3, isCurrent: true });
}

it(
  'a stream that one server holds is put on three, with all that is in it, by a process that wants three',
  async () => {
    {
      await using before = publisher(1);
      await tellMany(before, 1, 5);
      await expectArrived(5);
    }
    const { replicas, messages } = await cluster.stream('payments');
    expect(replicas).toBe(1);
    await using after = publisher(3);
    await expectOnThree();
    expect(await cluster.stream('payments')).toMatchObject({ messages });
    await tellMany(after, 6, 10);
    await expectArrived(10);
  },
  TEST_MS,
);

it(
  'the server that leads the consumer killed amid events: none is lost and none applied twice',
  async () => {
    await using relay = publisher(3);
    await tellMany(relay, 1, 5);
    await expectArrived(5);
    await expectOnThree();
    const { leader } = await cluster.consumer('payments', 'review');
    const telling = tellMany(relay, 6, 25);
    cluster.server(leader).abandon();
    await telling;
    await expectArrived(25);
  },
  TEST_MS,
);
