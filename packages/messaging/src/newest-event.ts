import type { EntityManager } from '@mikro-orm/postgresql';
import { noAnswer, type Bus } from '@payroll/bus';
import { eventRoutes, parseEvent, type EventOf, type EventType, type Heard } from '@payroll/events';
import { isId, type ServiceName } from '@payroll/kernel';
import { as, columns, HISTORY, OutboxEventTable, read, sql, type DomainEvent, type HeardEvent } from '@payroll/store';
import { isTracing, startTrace } from '@payroll/telemetry';

const TIMEOUT_MS = 2_000;
/** Later nobody looks at the earlier trace any more, and viewers have dropped it. */
const CONTINUED_FOR_SECONDS = 3_600;

/** A thing, by the `aboutId` that its events carry. */
interface About {
  workspaceId: string;
  aboutId: string;
}

interface Question extends About {
  /** Any type when empty. */
  types: readonly string[];
}

/**
 * The newest event of these types, which have one publisher, about a thing; null when there is none.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the publisher does not answer within 2 s, or without its history.
 */
export async function ask<T extends EventType>(
  bus: Bus,
  types: readonly T[],
  about: About,
): Promise<Heard<EventOf<T>> | null> {
  const [type] = types;
  if (type === undefined) return null;
  // An older version understands one `type` or none; its answer about other types is ignored.
  const question = { ...about, types, ...(types.length === 1 && { type }) };
  const answer = await bus.request(subjectOf(eventRoutes[type].publisher), question, TIMEOUT_MS);
  if (answer === null) return null;
  const { history } = answer as { history?: unknown };
  if (typeof history !== 'string') throw noAnswer();
  return { ...(parseEvent(answer) as EventOf<T>), history };
}

/** Answers what other services ask of this one's outbox. */
export function answerAsk({ bus, em, service }: { bus: Bus; em: EntityManager; service: ServiceName }): void {
  bus.answer(subjectOf(service), service, async (body) => await newestAbout(em, readQuestion(body)));
}

function subjectOf(service: ServiceName): string {
  return `ask.${service}.event`;
}

function readQuestion(body: unknown): Question {
  const { workspaceId, aboutId, type, types } = (body ?? {}) as Record<string, unknown>;
  if (!isId(workspaceId) || !isId(aboutId))
    throw new TypeError('A question names a workspace and a thing by their ids.');
  const named = Array.isArray(types) ? types : [type];
  return { workspaceId, aboutId, types: named.filter((each) => typeof each === 'string') };
}

async function newestAbout(em: EntityManager, { workspaceId, aboutId, types }: Question): Promise<HeardEvent | null> {
  const [newest] = await read(
    em,
    sql`select ${columns(OutboxEventTable, 'body')}, ${as('history', 'text', HISTORY)} from outbox_event
      where workspace_id = ${workspaceId} and about_id = ${aboutId}
        and (${types.length === 0} or type = any(${types}::text[]))
      order by recorded_at desc, id desc limit 1`,
  );
  return newest ? { ...(newest.body as DomainEvent), history: newest.history } : null;
}

/** Continues the trace in which the thing last changed; after an hour a trace of its own links to that one. */
export async function resumeTrace<T>(
  em: EntityManager,
  about: About,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return await work();
  const [last] = await read(
    em,
    sql`select ${columns(OutboxEventTable, 'traceparent')},
        ${as('isRecent', 'boolean', sql`recorded_at > clock_timestamp() - make_interval(secs => ${CONTINUED_FOR_SECONDS})`)}
      from outbox_event
      where workspace_id = ${about.workspaceId} and about_id = ${about.aboutId} and traceparent is not null
      order by recorded_at desc, id desc limit 1`,
  );
  if (!last) return await startTrace(name, about, work);
  const traceparent = last.traceparent ?? undefined;
  const led = last.isRecent ? { continues: traceparent } : { follows: traceparent };
  return await startTrace(name, { ...about, ...led }, work);
}
