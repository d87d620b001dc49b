import type { EntityManager } from '@mikro-orm/postgresql';
import { type Instant, newId, type Origin, type WhoMay } from '@payroll/kernel';
import { currentTraceparent } from '@payroll/telemetry';
import { AuditEntryTable, OutboxEventTable } from './tables.js';

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

/** What a command says happened; the rest of the event is known from where it happened. */
export interface NewEvent extends Pick<DomainEvent, 'type' | 'aboutId' | 'body'> {
  /** The services that must confirm it; the outbox keeps offering it until all have. */
  consumers: readonly string[];
}

/** One use case: decided and written in one transaction of one workspace, with nothing on the network inside. */
export interface Command<Input, Result> {
  name: string;
  who: WhoMay<Input>;
  handle: (tx: CommandTransaction, input: Input) => Promise<Result>;
}

export function defineCommand<Input, Result>(
  name: string,
  who: WhoMay<Input>,
  handle: Command<Input, Result>['handle'],
): Command<Input, Result> {
  return { name, who, handle };
}

/** Entities are written when the command returns: its queries see what is stored, not what it has persisted. */
export class CommandTransaction {
  readonly events: DomainEvent[] = [];

  constructor(
    readonly em: EntityManager,
    readonly origin: Origin,
    /** The workspace's change clock: what `createdAt` and `updatedAt` are set to. */
    readonly now: Instant,
  ) {}

  get workspaceId(): string {
    return this.origin.actor.workspaceId;
  }

  /** The event joins the transaction: it goes out if, and only if, the change is committed. */
  emit({ type, aboutId, body, consumers }: NewEvent): void {
    const { workspaceId, now } = this;
    const about = { id: newId(), type, workspaceId, aboutId };
    const event: DomainEvent = { ...about, occurredAt: now, requestId: this.origin.requestId, body };
    this.events.push(event);
    this.em.create(OutboxEventTable, {
      ...about,
      body: event,
      recordedAt: now,
      awaiting: [...consumers],
      dueAt: consumers.length > 0 ? now : null,
      traceparent: currentTraceparent(),
    });
  }

  audit(action: string, subjectId: string, change: unknown): void {
    const { actor, via, requestId } = this.origin;
    this.em.create(AuditEntryTable, {
      id: newId(),
      workspaceId: actor.workspaceId,
      at: this.now,
      actorKind: actor.kind,
      principalId: actor.principalId,
      via,
      requestId,
      action,
      subjectId,
      change,
    });
  }
}
