import { defineEntity, p, Type } from '@mikro-orm/core';
import { type Instant, toInstant } from '@payroll/kernel';
import { kept, LEAST_EVENT_DAYS } from './retention.js';

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
