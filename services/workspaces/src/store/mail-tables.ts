import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '@payroll/store';
import { MAIL_STATES, NOTICE_KINDS, RHYTHMS, TOPICS } from '../domain/notice.js';

// The text of a mail is made when it is sent. Nothing here is a text, an address or a secret.

/** A mail to an account, about the notices with its id. */
export const MailTable = defineEntity({
  name: 'Mail',
  tableName: 'mail',
  properties: {
    id: p.uuid().primary().comment('Also in its Message-ID, so that all tries have the same.'),
    accountId: p.uuid(),
    workspaceId: p.uuid().strictNullable().comment('Null if it is about the account itself.'),
    state: p.enum(MAIL_STATES).columnType('text'),
    dueAt: instant().comment('When it is tried next, unless it is accepted before.'),
    tries: p.integer(),
    firstTriedAt: instant().strictNullable().comment('Until then, more notices of the workspace join it.'),
    createdAt: instant(),
    isDaily: p.boolean().default(false).comment('Gathered until 07:00 UTC.'),
  },
  indexes: [
    { name: 'mail_due', properties: ['dueAt'], where: "state = 'waiting'" },
    { name: 'mail_created', properties: ['createdAt'] },
  ],
  uniques: [
    {
      name: 'mail_gathering',
      properties: ['accountId', 'workspaceId', 'isDaily'],
      where: "state = 'waiting' and first_tried_at is null",
    },
  ],
});

/** A piece of news for one account. */
export const NoticeTable = defineEntity({
  name: 'Notice',
  tableName: 'notice',
  properties: {
    sourceId: p.uuid().primary().comment('The event or the operation that it follows from.'),
    accountId: p.uuid().primary(),
    mailId: p.uuid(),
    kind: p.enum(NOTICE_KINDS).columnType('text'),
    aboutId: p.uuid().comment('Such as the contract to sign; of an access that has ended, the workspace.'),
    createdAt: instant(),
  },
  indexes: [{ name: 'notice_of_mail', properties: ['mailId'] }],
});

/** A change of a worker's payout details, while the worker can stop it. Payments decides whether they still can. */
export const PayoutStopTable = defineEntity({
  name: 'PayoutStop',
  tableName: 'payout_stop',
  properties: {
    changeId: p.uuid().primary().comment('Of payments; a second change during the hold of the first has the same.'),
    workspaceId: p.uuid(),
    accountId: p.uuid().comment('Whose payout details they are.'),
    until: instant().comment('By the calendar of the workspace.'),
  },
});

/** The rhythm that a person chose for a topic of a workspace; without a row, at once. */
export const MailChoiceTable = defineEntity({
  name: 'MailChoice',
  tableName: 'mail_choice',
  properties: {
    accountId: p.uuid().primary(),
    workspaceId: p.uuid().primary(),
    topic: p.enum(TOPICS).columnType('text').primary(),
    rhythm: p.enum(RHYTHMS).columnType('text'),
  },
});
