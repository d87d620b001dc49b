import { join } from 'node:path';
import { AckPolicy, connect, StorageType, type JetStreamClient } from 'nats';
import { findNatsServer } from '../../local/nats.js';
import { findPort } from '../../local/ports.js';
import { at } from '../load.js';
import { listensAt, startProgram, type Place } from '../program.js';

const STREAM = 'bench';
/** As large as the event of an approval. */
const MESSAGE = 'x'.repeat(700);

/** What stands below events: a message is stored, delivered to a durable consumer and acknowledged. A server of its own. */
export async function rawJetStream(place: Place, { alone, many }: { alone: number; many: number }) {
  await using cleanup = new AsyncDisposableStack();
  const { dir } = place;
  const command = await findNatsServer({ logFile: join(dir, 'logs', 'raw-nats.log'), report: () => {} });
  const port = await findPort(0, 'free');
  const args = ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', join(dir, 'raw-jetstream'), '-l', '/dev/null'];
  await startProgram('raw-nats', { command, args, isReady: () => listensAt(port) }, { ...place, cleanup });
  const connection = cleanup.adopt(await connect({ servers: `127.0.0.1:${port}` }), (open) => open.close());
  const manager = await connection.jetstreamManager();
  await manager.streams.add({ name: STREAM, subjects: [`${STREAM}.>`], storage: StorageType.File });
  await manager.consumers.add(STREAM, { durable_name: STREAM, ack_policy: AckPolicy.Explicit });
  const arrivals = await deliveries(connection.jetstream(), cleanup);
  return await timed(connection.jetstream(), arrivals, { alone, many });
}

/** Resolves with each delivery, one after the other. */
async function deliveries(jetstream: JetStreamClient, cleanup: AsyncDisposableStack): Promise<() => Promise<void>> {
  const consumer = await jetstream.consumers.get(STREAM, STREAM);
  const messages = cleanup.adopt(await consumer.consume({ max_messages: 64 }), (open) => void open.close());
  const iterator = messages[Symbol.asyncIterator]();
  return async () => {
    const next = await iterator.next();
    if (!next.done) next.value.ack();
  };
}

async function timed(
  jetstream: JetStreamClient,
  arrived: () => Promise<void>,
  { alone, many }: { alone: number; many: number },
) {
  const latencies: number[] = [];
  for (let n = 0; n < alone; n++) {
    const sentAt = performance.now();
    const published = jetstream.publish(`${STREAM}.one`, MESSAGE);
    await arrived();
    latencies.push(performance.now() - sentAt);
    await published;
  }
  const startedAt = performance.now();
  const published = Array.from({ length: many }, () => jetstream.publish(`${STREAM}.many`, MESSAGE));
  for (let n = 0; n < many; n++) await arrived();
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(published);
  const sorted = latencies.toSorted((a, b) => a - b);
  return { p50: at(0.5, sorted), p99: at(0.99, sorted), perSecond: many / seconds };
}
