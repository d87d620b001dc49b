import type { EntityManager } from '@mikro-orm/postgresql';
import { parseEvent, type EventService, type EventType, type KnownEvent } from '@payroll/events';
import { isId } from '@payroll/kernel';
import type { Bus } from '@payroll/bus';
import { newestAbout } from './outbox-rows.js';

const TIMEOUT_MS = 2_000;

export interface EventQuestion<T extends EventType = EventType> {
  workspaceId: string;
  /** The `aboutId` the event was made with. */
  aboutId: string;
  type?: T;
}

/**
 * The newest event of a publisher about a thing, for a read that may be ahead of the stream; null when there is none.
 * The caller applies it by the same command as if it had arrived.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the publisher does not answer within 2 s.
 */
export async function ask<T extends EventType = EventType>(
  bus: Bus,
  publisher: EventService,
  question: EventQuestion<T>,
): Promise<Extract<KnownEvent, { type: T }> | null> {
  const event = await bus.request(subjectOf(publisher), question, TIMEOUT_MS);
  return event === null ? null : (parseEvent(event) as Extract<KnownEvent, { type: T }>);
}

/** Answers what other services ask of this one's outbox. */
export function answerAsk({ bus, em, service }: { bus: Bus; em: EntityManager; service: EventService }): void {
  bus.answer(subjectOf(service), service, async (body) => await newestAbout(em, readQuestion(body)));
}

function subjectOf(service: EventService): string {
  return `ask.${service}.event`;
}

function readQuestion(body: unknown): { workspaceId: string; aboutId: string; type: string | undefined } {
  const { workspaceId, aboutId, type } = (body ?? {}) as Record<string, unknown>;
  if (!isId(workspaceId) || !isId(aboutId))
    throw new TypeError('A question names a workspace and a thing by their ids.');
  return { workspaceId, aboutId, type: typeof type === 'string' ? type : undefined };
}
