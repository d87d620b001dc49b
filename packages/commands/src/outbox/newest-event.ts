import type { EntityManager } from '@mikro-orm/postgresql';
import { eventRoutes, parseEvent, type EventOf, type EventType } from '@payroll/events';
import { isId, type ServiceName } from '@payroll/kernel';
import { computed, columns, GENERATION, read, sql } from '@payroll/store';
import type { Bus } from '../nats/bus.js';
import { noReplyError } from '../nats/request-reply.js';
import type { DomainEvent, EventInGeneration } from './outbox.js';
import { OutboxEventTable } from '../tables.js';

/** The subject of an event, by the `aboutId` that its events carry. */
interface EntityRef {
  workspaceId: string;
  aboutId: string;
}

interface NewestEventRequest extends EntityRef {
  types: readonly string[];
}

/**
 * The newest event of these types, at least one, which have one publisher, about a subject; null when none exists.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the publisher does not answer within 2 s.
 */
export async function fetchNewestEvent<T extends EventType>(
  bus: Pick<Bus, 'request'>,
  types: readonly T[],
  about: EntityRef,
): Promise<(EventOf<T> & { generation: string }) | null> {
  const { publisher } = eventRoutes[types[0]!];
  const answer = await bus.request(subjectOf(publisher), { ...about, types });
  if (answer === null) return null;
  const { generation } = answer as { generation?: unknown };
  if (typeof generation !== 'string') throw noReplyError();
  return { ...(parseEvent(answer) as EventOf<T>), generation };
}

/** Answers other services' requests for the newest event in this service's outbox. */
export function serveNewestEvent({
  bus,
  em,
  service,
}: {
  bus: Pick<Bus, 'answer'>;
  em: EntityManager;
  service: ServiceName;
}): void {
  bus.answer(subjectOf(service), service, async (body) => await newestAbout(em, readQuestion(body)));
}

function subjectOf(service: ServiceName): string {
  return `ask.${service}.event`;
}

function readQuestion(body: unknown): NewestEventRequest {
  const { workspaceId, aboutId, types } = (body ?? {}) as Record<string, unknown>;
  if (!isId(workspaceId) || !isId(aboutId)) throw new TypeError('workspaceId and aboutId must be UUIDs.');
  if (!Array.isArray(types)) throw new TypeError('types must be an array of event types.');
  return { workspaceId, aboutId, types: types.filter((each) => typeof each === 'string') };
}

async function newestAbout(
  em: EntityManager,
  { workspaceId, aboutId, types }: NewestEventRequest,
): Promise<EventInGeneration | null> {
  const [newest] = await read(
    em,
    sql`select ${columns(OutboxEventTable, 'body')}, ${computed('generation', 'text', GENERATION)} from outbox_event
      where workspace_id = ${workspaceId} and about_id = ${aboutId} and type = any(${types}::text[])
      order by recorded_at desc, id desc limit 1`,
  );
  return newest ? { ...(newest.body as DomainEvent), generation: newest.generation } : null;
}
