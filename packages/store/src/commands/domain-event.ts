import type { Instant } from '@payroll/kernel';

/** A fact on its way to the services that need it. Carries ids, dates and amounts, never personal text. */
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

/** An event as a consumer holds it: with the history of the database in which its publisher held it. */
export interface HeardEvent extends DomainEvent {
  history: string;
}

/** An event taken for publishing. Its lease is `due_at`: it is due again if its receipts do not come in time. */
export interface Claimed {
  event: DomainEvent;
  /** Which publication this is, from 1. */
  attempt: number;
  /** In which it was due when it was taken. */
  history: string;
  traceparent: string | null;
  isAwaited?: boolean;
}

/** What a command says happened; the rest of the event is known from where it happened. */
export interface NewEvent extends Pick<DomainEvent, 'type' | 'aboutId' | 'body'> {
  /** The services that must confirm it; the outbox keeps offering it until all have. */
  consumers: readonly string[];
  /** False where nobody can see whether its consumers have it: then the answer does not wait for them. Default true. */
  isAwaited?: boolean;
}

export interface Relay {
  /** Whether events that are committed now can go out now. */
  isOpen: boolean;
  /** The answer waits for it. Never rejects: events that do not get out stay in the outbox. */
  deliver: (events: readonly Claimed[]) => Promise<void>;
}
