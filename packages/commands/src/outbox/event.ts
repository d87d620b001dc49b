import type { Instant, ServiceName } from '@payroll/kernel';

/** A fact for the services that need it. Carries ids, dates and amounts, never personal text. */
export interface DomainEvent {
  id: string;
  type: string;
  workspaceId: string;
  aboutId: string;
  occurredAt: Instant;
  /** The request that caused it, so that one id finds its lines in every log. */
  requestId: string;
  body: unknown;
}

/** An event in delivery, with the database generation of its publisher (ADR 04). */
export interface EventInGeneration extends DomainEvent {
  generation: string;
}

/** The fields of an event that a command sets; `emit` adds those of its actor and transaction. */
export interface NewEvent extends Pick<DomainEvent, 'type' | 'aboutId' | 'body'> {
  /** The services that must confirm it. */
  consumers: readonly ServiceName[];
  /** False if no reader depends on the consumers: the answer then does not wait for their replies. Default true. */
  isAwaited?: boolean;
}

/** Events that a command has emitted, to be delivered after its commit. */
export interface Emitted {
  event: DomainEvent;
  consumers: readonly ServiceName[];
  traceparent: string | null;
  isAwaited: boolean;
}

export interface Committed extends Emitted {
  event: EventInGeneration;
}
