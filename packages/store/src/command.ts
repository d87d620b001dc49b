import type { EntityManager } from '@mikro-orm/postgresql';
import { type Instant, newId, type Origin, type WhoMay } from '@payroll/kernel';
import { currentTraceparent } from '@payroll/telemetry';
import { AuditEntryTable, OutboxEventTable } from './tables.js';

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

function stampEvent(event: NewEvent, id: string, origin: Origin, now: Instant): DomainEvent {
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

/**
 * What a command works with. Entities it creates or changes are written when it returns, and not before: it queries what
 * is stored, not what it has persisted. Whatever it has written, a refusal takes it back.
 */
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
  emit(event: NewEvent): void {
    const stamped = stampEvent(event, newId(), this.origin, this.now);
    this.events.push(stamped);
    this.em.persist(
      this.em.create(OutboxEventTable, {
        id: stamped.id,
        workspaceId: stamped.workspaceId,
        type: stamped.type,
        aboutId: stamped.aboutId,
        body: stamped,
        recordedAt: this.now,
        awaiting: [...event.consumers],
        dueAt: event.consumers.length > 0 ? this.now : null,
        traceparent: currentTraceparent(),
      }),
    );
  }

  /** Leaves who changed what, through what, in which request. */
  audit(action: string, subjectId: string, change: unknown): void {
    const { actor, via, requestId } = this.origin;
    this.em.persist(
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
      }),
    );
  }
}
