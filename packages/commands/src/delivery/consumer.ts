import type { EntityManager } from '@mikro-orm/postgresql';
import { EventFormatError, parseEvent } from '@payroll/events';
import { DomainError, errorForLog, isId, type ServiceName } from '@payroll/kernel';
import { type Log, metrics, withRemoteSpan } from '@payroll/runtime';
import { mapDatabaseError, isDataError } from '@payroll/store';
import type { Bus } from '../nats/bus.js';
import type { Delivery } from '../outbox/outbox.js';
import type { Commands } from '../run/commands.js';
import { storeDeadLetter } from './dead-letters.js';
import { commandFor, type AppliedBy } from './event-command.js';
import { eventSubject, type Reply } from './reply.js';

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
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') {
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
