import type { Instant, Origin } from '@payroll/kernel';

/** A fact on its way to the services that need it. Carries ids, dates and amounts, never personal text. */
export interface DomainEvent<Type extends string = string, Body = unknown> {
  id: string;
  type: Type;
  workspaceId: string;
  aboutId: string;
  occurredAt: Instant;
  /** The request that caused it, so that one id leads through every log. */
  requestId: string;
  body: Body;
}

/** An event as a consumer holds it: with the history of the database in which its publisher held it. */
export interface HeardEvent<Type extends string = string, Body = unknown> extends DomainEvent<Type, Body> {
  history: string;
}

/** What a command says happened; the rest of the event is known from where it happened. */
export interface NewEvent<Type extends string = string, Body = unknown> {
  type: Type;
  aboutId: string;
  body: Body;
  /** The services that must confirm it; the outbox keeps offering it until all have. */
  consumers: readonly string[];
}

export function stampEvent(event: NewEvent, id: string, origin: Origin, now: Instant): DomainEvent {
  return {
    id,
    type: event.type,
    workspaceId: origin.actor.workspaceId,
    aboutId: event.aboutId,
    occurredAt: now,
    requestId: origin.requestId,
    body: event.body,
  };
}
