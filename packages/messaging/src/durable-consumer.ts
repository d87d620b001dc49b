import {
  AckPolicy,
  DeliverPolicy,
  nanos,
  NatsError,
  type ConsumerConfig,
  type ConsumerInfo,
  type NatsConnection,
} from 'nats';
import { errorForLog, type ServiceName } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { differs } from './differs.js';
import { streamManager, streamOf } from './stream.js';

/** An event that is not confirmed by then is handed out again, here or to another process. */
const ACK_WAIT_MS = 30_000;
/** What waits in memory at most; generous, because events that are handed back for later count as well. */
const MAX_UNCONFIRMED = 1_000;

const CONSUMER_NOT_FOUND = 10014;

/** Decided once and for all: a server changes neither in a consumer that is there. */
const FIXED = { deliver_policy: DeliverPolicy.All, ack_policy: AckPolicy.Explicit } as const;

/** What a consumer is like in this version. */
export const consumerSettings = {
  ack_wait: nanos(ACK_WAIT_MS),
  max_ack_pending: MAX_UNCONFIRMED,
  // Giving up is decided where the reason is known; an outage of Postgres must not use up attempts.
  max_deliver: -1,
} satisfies Partial<ConsumerConfig>;

interface DurableConsumer {
  /** Whose events. */
  publisher: ServiceName;
  /** Who consumes them: the name of the consumer. */
  service: ServiceName;
  log: Log;
}

/**
 * The service's own consumer, made unless it is there. The one of an older version is changed in place and goes on where it
 * stands: to create it again is what servers from 2.10 on refuse.
 */
export async function ensureConsumer(
  connection: NatsConnection,
  { publisher, service, log }: DurableConsumer,
): Promise<ConsumerInfo> {
  const { consumers } = await streamManager(connection);
  const stream = streamOf(publisher);
  const found = await consumers.info(stream, service).catch((error: unknown) => {
    if (isConsumerMissing(error)) return null;
    throw error;
  });
  if (!found) return await consumers.add(stream, { ...FIXED, ...consumerSettings, durable_name: service });
  const changes = differs(found.config, consumerSettings);
  if (changes.length === 0) return found;
  try {
    const updated = await consumers.update(stream, service, consumerSettings);
    log.info({ stream, consumer: service, changes }, 'Changed the consumer');
    return updated;
  } catch (error) {
    // What cannot be changed is no reason not to consume.
    log.warn({ stream, consumer: service, changes, error: errorForLog(error) }, 'The consumer could not be changed');
    return found;
  }
}

function isConsumerMissing(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === CONSUMER_NOT_FOUND;
}
