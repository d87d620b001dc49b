import { defineEntity, p } from '@mikro-orm/core';
import { instant, retentionTrigger, MIN_EVENT_RETENTION_DAYS } from '@payroll/store';

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
export const OutboxDeliveryTable = defineEntity({
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
