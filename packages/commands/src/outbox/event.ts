import type { Instant, ServiceName } from '@payroll/kernel';

/** A fact for the services that need it. Carries ids, dates and amounts, never personal text. */
export interface DomainEvent {
  id: string;
  type: string;
  workspaceId: string;
  aboutId: string;
  occurredAt: Instant;
  /** The request that caused it, so that one id leads through every log. */
  requestId: string;
  body: unknown;
}

/** An event on its way: with the generation of the database in which its publisher holds it (ADR 04). */
export interface EventInGeneration extends DomainEvent {
  generation: string;
}

/** What a command says happened; the rest of the event follows from where it happened. */
export interface NewEvent extends Pick<DomainEvent, 'type' | 'aboutId' | 'body'> {
  /** The services that must confirm it. */
  consumers: readonly ServiceName[];
  /** False where nobody can see whether its consumers have it: then the answer does not wait for them. Default true. */
  isAwaited?: boolean;
}

/** What a command has emitted, to be delivered once it is committed. */
export interface Emitted {
  event: DomainEvent;
  consumers: readonly ServiceName[];
  traceparent: string | null;
  isAwaited: boolean;
}

export interface Committed extends Emitted {
  event: EventInGeneration;
}
