import { defineEntity, p } from '@mikro-orm/core';
import { instant, retentionTrigger } from '@payroll/store';

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
