import { errorForLog, type ServiceName } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import {
  AckPolicy,
  DeliverPolicy,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type ConsumerConfig,
  type ConsumerInfo,
  type JetStreamManager,
  type NatsConnection,
  type StreamConfig,
} from 'nats';

/** The stream only buffers what Postgres holds: an event still unconfirmed by then is published again. */
const MAX_AGE_MS = 7 * 86_400_000;
/** An event that is not acknowledged by then is delivered again, here or to another process. */
const ACK_WAIT_MS = 30_000;
/** The most in memory; generous, because events handed back for later count too. */
const MAX_UNCONFIRMED = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

const CONSUMER_NOT_FOUND = 10014;
const STREAM_NOT_FOUND = 10059;

/** Settings of this version that a running server can change. */
export function streamSettings(service: ServiceName) {
  return {
    name: streamOf(service),
    subjects: [`events.${service}.>`],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(MAX_AGE_MS),
  } satisfies Partial<StreamConfig>;
}

export const consumerSettings = {
  ack_wait: nanos(ACK_WAIT_MS),
  max_ack_pending: MAX_UNCONFIRMED,
  // Our code gives up where it knows the reason; an outage of Postgres must not use up attempts.
  max_deliver: -1,
} satisfies Partial<ConsumerConfig>;

/** Settings that a server never changes in an existing consumer. */
const FIXED = { deliver_policy: DeliverPolicy.All, ack_policy: AckPolicy.Explicit } as const;

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

/** Creates the service's own stream unless it exists. True when it was missing: its content is lost then. */
export async function ensureStream(connection: NatsConnection, service: ServiceName, replicas = 1): Promise<boolean> {
  const { streams } = await streamManager(connection);
  try {
    await streams.info(streamOf(service));
    return false;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
  }
  await streams.add({ ...streamSettings(service), num_replicas: replicas });
  return true;
}

/** Changes it in place: content and settings of others stay. False for a refused change, which is no reason not to publish. */
export async function updateStream(
  connection: NatsConnection,
  { service, replicas, log }: { service: ServiceName; replicas: number; log: Log },
): Promise<boolean> {
  const stream = streamOf(service);
  const changes: string[] = [];
  try {
    const { streams } = await streamManager(connection);
    // Replicas separately: an operator's mistake there must not stop the other changes.
    for (const part of [streamSettings(service), { num_replicas: replicas }]) {
      const { config } = await streams.info(stream);
      const names = differs(config, part);
      if (names.length > 0) await streams.update(stream, { ...config, ...part });
      changes.push(...names);
    }
    if (changes.length > 0) log.info({ stream, changes }, 'Changed the stream');
    return true;
  } catch (error) {
    log.warn({ stream, replicas, error: errorForLog(error) }, 'The stream could not be changed yet');
    return false;
  }
}

/** Created unless it exists, else changed in place: servers from 2.10 on refuse to create it again. */
export async function ensureConsumer(
  connection: NatsConnection,
  { publisher, service, log }: { publisher: ServiceName; service: ServiceName; log: Log },
): Promise<ConsumerInfo> {
  const { consumers } = await streamManager(connection);
  const stream = streamOf(publisher);
  const found = await consumers.info(stream, service).catch((error: unknown) => {
    if (hasCode(error, CONSUMER_NOT_FOUND)) return null;
    throw error;
  });
  if (!found) return await consumers.add(stream, { ...FIXED, ...consumerSettings, durable_name: service });
  const changes = differs(found.config, consumerSettings);
  if (changes.length === 0) return found;
  const about = { stream, consumer: service, changes };
  try {
    const updated = await consumers.update(stream, service, consumerSettings);
    log.info(about, 'Changed the consumer');
    return updated;
  } catch (error) {
    // No reason not to consume.
    log.warn({ ...about, error: errorForLog(error) }, 'The consumer could not be changed');
    return found;
  }
}

/** The settings that are not as wanted. Servers have more settings, and operators set some: those do not count. */
export function differs<Config extends object>(config: Config, wanted: Partial<Config>): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(config[name as keyof Config]) !== JSON.stringify(value))
    .map(([name]) => name);
}

export function isStreamMissing(error: unknown): boolean {
  return hasCode(error, STREAM_NOT_FOUND);
}

/** Nobody took the message: the stream is gone, or JetStream is not up yet. */
export function isNoResponders(error: unknown): boolean {
  return error instanceof NatsError && error.code === '503';
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof NatsError && error.api_error?.err_code === code;
}
