import { newId, type Instant, type Origin, type WhoMay } from '@payroll/kernel';
import { currentTraceparent } from '@payroll/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import { stampEvent, type DomainEvent, type NewEvent } from './event.js';
import { AuditEntryTable, OutboxEventTable } from './tables.js';

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
