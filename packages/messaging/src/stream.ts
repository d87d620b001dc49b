import type { EventService } from '@payroll/events';
import { nanos, NatsError, RetentionPolicy, StorageType, type NatsConnection } from 'nats';

/** Only a refill of what Postgres holds: an event that nobody has confirmed by then is published again. */
const MAX_AGE_MS = 7 * 86_400_000;
const REQUEST_TIMEOUT_MS = 3_000;

const STREAM_NOT_FOUND = 10059;

export function streamOf(publisher: EventService): string {
  return `events-${publisher}`;
}

export function subjectOf(publisher: EventService, type: string): string {
  return `events.${publisher}.${type}`;
}

export async function streamManager(connection: NatsConnection) {
  return await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_TIMEOUT_MS });
}

/** Makes the service's own stream unless it is there. Says whether it was missing: then what it held is gone. */
export async function ensureStream(connection: NatsConnection, service: EventService, replicas = 1): Promise<boolean> {
  const manager = await streamManager(connection);
  try {
    await manager.streams.info(streamOf(service));
    return false;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
  }
  await manager.streams.add({
    name: streamOf(service),
    subjects: [`events.${service}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(MAX_AGE_MS),
    num_replicas: replicas,
  });
  return true;
}

/** As many servers hold the stream as the operator says now. @throws NatsError where the cluster has not so many. */
export async function setReplicas(
  connection: NatsConnection,
  service: EventService,
  replicas: number,
): Promise<boolean> {
  const manager = await streamManager(connection);
  const { config } = await manager.streams.info(streamOf(service));
  if (config.num_replicas === replicas) return false;
  await manager.streams.update(streamOf(service), { ...config, num_replicas: replicas });
  return true;
}

export function isStreamMissing(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND;
}

/** Nobody took the message: the stream is gone, or JetStream is not up yet. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof NatsError && error.code === '503';
}
