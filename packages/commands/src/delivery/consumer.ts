import type { EntityManager } from '@mikro-orm/postgresql';
import { type ServiceName, DomainError, isDomainError, errorForLog, isId } from '@payroll/kernel';
import { EventFormatError, parseEvent } from '@payroll/events';
import { type Log, metrics, withRemoteSpan } from '@payroll/runtime';
import { mapDatabaseError, isDataError } from '@payroll/store';
import type { Bus } from '../nats/bus.js';
import type { Delivery } from '../outbox/outbox.js';
import type { Commands } from '../run/commands.js';
import { storeDeadLetter } from './dead-letters.js';
import { commandFor, type AppliedBy } from '../run/command.js';

/**
 * A consumer's reply to an event. `applied` and `dead_lettered` confirm it: the event is never delivered again. `held`: this
 * version cannot apply it, a later one may. `postponed`: not now, such as in an outage.
 */
const REPLIES = ['applied', 'dead_lettered', 'held', 'postponed'] as const;
export type Reply = (typeof REPLIES)[number];

export function isReply(value: unknown): value is Reply {
  return REPLIES.some((reply) => reply === value);
}

/** The subject of deliveries to a consumer. NATS lets only the publisher send to it and only the consumer subscribe. */
export function eventSubject(publisher: ServiceName | '*', consumer: ServiceName): string {
  return `events.${publisher}.${consumer}`;
}

interface ConsumerOptions {
  bus: Pick<Bus, 'answer'>;
  em: EntityManager;
  commands: Pick<Commands, 'apply'>;
  service: ServiceName;
  appliedBy: AppliedBy;
  log: Log;
}

type Received = Delivery & { event: ReturnType<typeof parseEvent> };

/** Applies events that other services deliver. Any number of processes may share the work. */
export function answerEvents(options: ConsumerOptions): void {
  const { bus, service, log } = options;
  bus.answer(eventSubject('*', service), service, async (body) => {
    const received = readEvent(body, log);
    const reply = received ? await receive(options, received) : 'held';
    metrics.eventsReceived.add({ type: received?.event.type ?? 'unknown', reply });
    return reply;
  });
}

/** Null for a type or a shape that this version does not know, as from a newer publisher. */
function readEvent(body: unknown, log: Log): Received | null {
  const { generation, traceparent, ...content } = (body ?? {}) as Record<string, unknown>;
  try {
    if (typeof generation !== 'string') throw new EventFormatError('An event', 'generation', 'must be a string');
    const event = { ...parseEvent(content), generation };
    return { event, traceparent: typeof traceparent === 'string' ? traceparent : null };
  } catch (error) {
    const { id, requestId } = content;
    const about = { eventId: isId(id) ? id : null, requestId: typeof requestId === 'string' ? requestId : null };
    log.error({ ...about, error: errorForLog(error) }, 'An event that this version cannot read is held');
    return null;
  }
}

async function receive(options: ConsumerOptions, received: Received): Promise<Reply> {
  const { id, type, requestId, workspaceId, aboutId } = received.event;
  const details = { kind: 'consumer', requestId, workspaceId, aboutId } as const;
  return await withRemoteSpan(received.traceparent, `receive ${type}`, details, async () => {
    try {
      return await apply(options, received);
    } catch (error) {
      const about = { requestId, eventId: id, eventType: type, error: errorForLog(error) };
      options.log.warn(about, 'An event can be neither applied nor stored as a dead letter at the moment');
      return 'postponed';
    }
  });
}

async function apply({ em, commands, appliedBy, log }: ConsumerOptions, received: Received): Promise<Reply> {
  const { id, type, requestId, occurredAt } = received.event;
  const about = { requestId, eventId: id, eventType: type };
  try {
    const applied = await commands.apply(commandFor(appliedBy, type), received.event);
    if (applied === 'replayed') return 'applied';
    log.info(about, 'An event was applied');
    metrics.eventDelay.seconds((Date.now() - Date.parse(occurredAt)) / 1000, { type });
    return 'applied';
  } catch (thrown) {
    const error = mapDatabaseError(thrown);
    const failed = { ...about, error: errorForLog(error) };
    if (isDomainError(error, 'SERVICE_UNAVAILABLE')) {
      log.warn(failed, 'An event cannot be applied at the moment');
      return 'postponed';
    }
    if (error instanceof DomainError || isDataError(error)) {
      // The next try would be refused for the same reason.
      await storeDeadLetter(em, received, error);
      log.error(failed, 'An event was stored as a dead letter');
      return 'dead_lettered';
    }
    // A bug of this version: a later one may apply it.
    log.error(failed, 'An event that this version cannot apply is held');
    return 'held';
  }
}
