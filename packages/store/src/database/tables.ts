import { defineEntity, p, Type } from '@mikro-orm/core';
import { type Instant, toInstant } from '@payroll/kernel';
import { INBOX_FACTOR, kept, LEAST_EVENT_DAYS, OUTCOME_DAYS } from './retention.js';

class InstantType extends Type<Instant, string> {
  override getColumnType(): string {
    return 'timestamptz(6)';
  }

  override convertToJSValue(value: string): Instant {
    return toInstant(value);
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** A moment with microseconds; a string on both sides (see `Instant`). */
export const instant = () => p.type(InstantType);

/** An exact decimal of any size; a string on both sides. */
export const exactNumber = () => p.decimal('string').columnType('numeric');

/** One row per workspace; moving it is a command's first statement, so writes of a workspace commit in clock order. */
const ChangeClockTable = defineEntity({
  name: 'ChangeClock',
  tableName: 'change_clock',
  properties: { workspaceId: p.uuid().primary(), last: instant() },
});

/** Each decided operation with its outcome. Rows are never deleted; retention empties `outcome` only. */
export const AppliedOperationTable = defineEntity({
  name: 'AppliedOperation',
  tableName: 'applied_operation',
  properties: {
    workspaceId: p.uuid().primary(),
    principalId: p.uuid().primary(),
    operationId: p.uuid().primary(),
    command: p.text(),
    fingerprint: p.text(),
    outcome: p.json<unknown>().strictNullable(),
    appliedAt: instant(),
  },
  indexes: [{ name: 'applied_operation_kept', properties: ['appliedAt'], where: 'outcome is not null' }],
  triggers: [
    kept({
      name: 'keeps_outcome',
      on: 'update',
      when: `old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '${OUTCOME_DAYS} days')`,
      because: 'an outcome is written once, and answers retries until it expires',
    }),
  ],
});

/** An event joins the transaction of the change it tells of, and is due until every consumer says that it arrived. */
export const OutboxEventTable = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox_event',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    type: p.text(),
    aboutId: p
      .uuid()
      .comment('The thing other services may ask this event for, such as the payment an approval creates.'),
    body: p.json<unknown>(),
    recordedAt: instant(),
    awaiting: p.array().columnType('text[]').comment('Consumers that have not confirmed yet.'),
    attempt: p.integer().default(0),
    dueAt: instant().strictNullable().comment('When it is published next; null once every consumer has confirmed.'),
    traceparent: p
      .text()
      .nullable()
      .comment('The step of a trace that emitted it (W3C Trace Context), where traces are kept.'),
  },
  indexes: [
    { name: 'outbox_event_due', properties: ['dueAt'], where: 'due_at is not null' },
    { name: 'outbox_event_new', properties: ['recordedAt'], where: 'due_at is not null and attempt = 0' },
    { name: 'outbox_event_about', properties: ['workspaceId', 'aboutId'] },
    { name: 'outbox_event_confirmed', properties: ['recordedAt'], where: 'due_at is null' },
  ],
  triggers: [
    kept({
      name: 'keeps_unconfirmed',
      on: 'delete',
      when: `old.due_at is not null or old.recorded_at > clock_timestamp() - interval '${LEAST_EVENT_DAYS} days'`,
      because: 'a consumer has not confirmed the event, or a stream may still hold it',
    }),
  ],
});

/** Events this service has applied: one that comes again, by whatever way, changes nothing. */
const InboxEventTable = defineEntity({
  name: 'InboxEvent',
  tableName: 'inbox_event',
  properties: { eventId: p.uuid().primary(), workspaceId: p.uuid(), type: p.text(), appliedAt: instant() },
  indexes: [{ name: 'inbox_event_applied', properties: ['appliedAt'] }],
  triggers: [
    kept({
      name: 'keeps_recent',
      on: 'delete',
      when: `old.applied_at > clock_timestamp() - interval '${INBOX_FACTOR * LEAST_EVENT_DAYS} days'`,
      because: 'the event may be delivered again and would be applied twice',
    }),
  ],
});

export const DEAD_LETTER_STATES = ['waiting', 'put_back', 'put_aside', 'applied'] as const;
export const DEAD_LETTER_STEPS = ['put_back', 'put_aside', 'buried', 'applied'] as const;

/** Events that could not be applied after every attempt: kept whole, whatever a person does with them. */
export const DeadLetterTable = defineEntity({
  name: 'DeadLetter',
  tableName: 'dead_letter',
  properties: {
    eventId: p.uuid().primary(),
    workspaceId: p.uuid(),
    type: p.text(),
    event: p.json<unknown>(),
    reason: p.text().comment('Of the first time; later ones are among its steps.'),
    buriedAt: instant(),
    tries: p
      .integer()
      .strictNullable()
      .comment('How often it was tried by then; null where an older version buried it.'),
    traceparent: p.text().strictNullable().comment('The step of a trace that published it.'),
    state: p
      .enum(DEAD_LETTER_STATES)
      .columnType('text')
      .default('waiting')
      .comment('Put back: it is about to be applied.'),
  },
  indexes: [
    { name: 'dead_letter_newest', properties: ['workspaceId', 'buriedAt', 'eventId'] },
    { name: 'dead_letter_open', properties: ['buriedAt'], where: "state in ('waiting', 'put_back')" },
  ],
  triggers: [
    kept({
      name: 'keeps_letter',
      on: 'delete',
      when: 'true',
      because: 'nothing else says that the event was not applied, and who took care of it',
    }),
  ],
});

/** What has become of a dead letter since. The service's role may add and read rows, not change them. */
export const DeadLetterStepTable = defineEntity({
  name: 'DeadLetterStep',
  tableName: 'dead_letter_step',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    eventId: p.uuid(),
    step: p.enum(DEAD_LETTER_STEPS).columnType('text'),
    at: instant(),
    by: p.text().strictNullable().comment('The person; null where the service itself did it.'),
    reason: p.text().strictNullable(),
  },
  indexes: [{ name: 'dead_letter_step_of_letter', properties: ['eventId', 'at', 'id'] }],
});

/** Who changed what, through what, and when. The service's role may add and read rows, not change them. */
export const AuditEntryTable = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    at: instant(),
    actorKind: p.text(),
    principalId: p.uuid(),
    via: p.text(),
    requestId: p.text(),
    action: p.text(),
    subjectId: p.uuid(),
    change: p.json<unknown>(),
  },
  indexes: [
    { name: 'audit_entry_newest', properties: ['workspaceId', 'at', 'id'] },
    { name: 'audit_entry_of_subject', properties: ['workspaceId', 'subjectId', 'at', 'id'] },
    { name: 'audit_entry_of_principal', properties: ['workspaceId', 'principalId', 'at', 'id'] },
  ],
});

export const writePathTables = [
  ChangeClockTable,
  AppliedOperationTable,
  OutboxEventTable,
  InboxEventTable,
  DeadLetterTable,
  DeadLetterStepTable,
  AuditEntryTable,
] as const;
