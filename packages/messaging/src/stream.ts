import type { ServiceName } from '@payroll/kernel';
import {
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type NatsConnection,
  type StreamConfig,
} from 'nats';
import { differs } from './differs.js';

/** Only a refill of what Postgres holds: an event that nobody has confirmed by then is published again. */
const MAX_AGE_MS = 7 * 86_400_000;
const REQUEST_TIMEOUT_MS = 3_000;

const STREAM_NOT_FOUND = 10059;

export function streamOf(publisher: ServiceName): string {
  return `events-${publisher}`;
}

export function subjectOf(publisher: ServiceName, type: string): string {
  return `events.${publisher}.${type}`;
}

/** Where a consumer tells a publisher what it has applied, and that it is there. */
export function receiptSubject(publisher: ServiceName, consumer: string): string {
  return `receipts.${publisher}.${consumer}`;
}

export async function streamManager(connection: NatsConnection): Promise<JetStreamManager> {
  return await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
}

/** What the service's own stream is like in this version. */
export function streamSettings(service: ServiceName) {
  return {
    name: streamOf(service),
    subjects: [`events.${service}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(MAX_AGE_MS),
  } satisfies Partial<StreamConfig>;
}

/** Makes the service's own stream unless it is there. Says whether it was missing: then what it held is gone. */
export async function ensureStream(connection: NatsConnection, service: ServiceName, replicas = 1): Promise<boolean> {
  const manager = await streamManager(connection);
  try {
    await manager.streams.info(streamOf(service));
    return false;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
  }
  await manager.streams.add({ ...streamSettings(service), num_replicas: replicas });
  return true;
}

/**
 * Changes the stream of an older version, or of other replicas, in place; what it holds stays, and so does what somebody
 * else has set. Says what was changed. @throws NatsError where the server refuses it: the cluster has not so many servers.
 */
export async function updateStream(
  connection: NatsConnection,
  service: ServiceName,
  replicas: number,
): Promise<string[]> {
  const manager = await streamManager(connection);
  const changed: string[] = [];
  // Replicas for themselves: an operator's mistake there holds nothing else back.
  for (const part of [streamSettings(service), { num_replicas: replicas }]) {
    const { config } = await manager.streams.info(streamOf(service));
    const names = differs(config, part);
    if (names.length > 0) await manager.streams.update(streamOf(service), { ...config, ...part });
    changed.push(...names);
  }
  return changed;
}

export function isStreamMissing(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND;
}

/** Nobody took the message: the stream is gone, or JetStream is not up yet. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof NatsError && error.code === '503';
}
