import { defineEntity, p } from '@mikro-orm/core';
import { instant, retentionTrigger, OUTCOME_RETENTION_DAYS, MIN_EVENT_RETENTION_DAYS } from '@payroll/store';

/** One row per workspace; moving it is a command's first statement, so writes of a workspace commit in clock order. */
const ChangeClockTable = defineEntity({
  name: 'ChangeClock',
  tableName: 'change_clock',
  properties: { workspaceId: p.uuid().primary(), last: instant() },
});

/**
 * Each decided operation with its outcome, and each applied event, by id. Rows are never deleted, so that a very late retry
 * is not applied twice; retention clears `outcome`, which events do not have.
 */
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
    retentionTrigger({
      name: 'keeps_outcome',
      on: 'update',
      when: `old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '${OUTCOME_RETENTION_DAYS} days')`,
      because: 'an outcome is written once, and answers retries until it expires',
    }),
  ],
});

/** The audit trail. The service's role may insert and read rows, not change them. */
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

/** Events, written in the transaction of the change they report. Other services may request them by `aboutId`. */
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
    traceparent: p
      .text()
      .nullable()
      .comment('The step of a trace that emitted it (W3C Trace Context), where traces are kept.'),
  },
  indexes: [
    { name: 'outbox_event_about', properties: ['workspaceId', 'aboutId'] },
    { name: 'outbox_event_recorded', properties: ['recordedAt'] },
  ],
  triggers: [
    retentionTrigger({
      name: 'keeps_recent',
      on: 'delete',
      when: `old.recorded_at > clock_timestamp() - interval '${MIN_EVENT_RETENTION_DAYS} days'`,
      because: 'another service may still ask for the event',
    }),
  ],
});

/** One row per consumer that has not confirmed the event. The reference keeps the event until all of them have. */
const OutboxDeliveryTable = defineEntity({
  name: 'OutboxDelivery',
  tableName: 'outbox_delivery',
  properties: {
    event: () => p.manyToOne(OutboxEventTable).primary(),
    consumer: p.text().primary(),
    recordedAt: instant().comment('When the event was, so that the oldest one is found without the events.'),
    attempt: p.integer(),
    dueAt: instant().comment('When the consumer is asked next, unless it confirms before.'),
  },
  indexes: [{ name: 'outbox_delivery_due', properties: ['consumer', 'dueAt'] }],
});

export const DEAD_LETTER_STATES = ['waiting', 'put_back', 'put_aside', 'applied'] as const;
export const DEAD_LETTER_STEPS = ['put_back', 'put_aside', 'dead_lettered', 'applied'] as const;

/** Events that could not be applied. The full event is kept even after a person has retried or dismissed it. */
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
    traceparent: p.text().strictNullable().comment('The step of a trace that delivered it.'),
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
    retentionTrigger({
      name: 'keeps_letter',
      on: 'delete',
      when: 'true',
      because: 'nothing else says that the event was not applied, and who took care of it',
    }),
  ],
});

/** The later history of a dead letter. The service's role may insert and read rows, not change them. */
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

/** The tables every service needs to run commands and to deliver their events. */
export const writePathTables = [
  ChangeClockTable,
  AppliedOperationTable,
  OutboxEventTable,
  OutboxDeliveryTable,
  DeadLetterTable,
  DeadLetterStepTable,
  AuditEntryTable,
] as const;
