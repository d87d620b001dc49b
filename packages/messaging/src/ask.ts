import type { EntityManager } from '@mikro-orm/postgresql';
import { noAnswer, type Bus } from '@payroll/bus';
import { eventRoutes, parseEvent, type EventOf, type EventType, type Heard } from '@payroll/events';
import { isId, type ServiceName } from '@payroll/kernel';
import { newestAbout, type Question } from './outbox-rows.js';

const TIMEOUT_MS = 2_000;

/**
 * The newest event of these types, which one publisher has, about a thing; null when there is none. For a read that may be
 * ahead of the stream: the caller applies it by the same command as if it had arrived.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the publisher does not answer within 2 s, or without saying in which history
 * of the database, as an older version does.
 */
export async function ask<T extends EventType>(
  bus: Bus,
  types: readonly T[],
  { workspaceId, aboutId }: { workspaceId: string; aboutId: string },
): Promise<Heard<EventOf<T>> | null> {
  const [type] = types;
  if (type === undefined) return null;
  // An older version knows one type or any: what it answers beside the question is as good as nothing.
  const question = { workspaceId, aboutId, types, ...(types.length === 1 && { type }) };
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
