import { Type } from 'typebox';
import { defineEvent } from './define-event.js';
import { id, money, revision } from './fields.js';

/** Somebody approved a milestone: its payment is processed at once. */
export const milestoneApproved = defineEvent({
  publisher: 'review',
  consumers: ['payments'],
  body: Type.Object({
    milestoneId: id,
    contractId: id,
    /** Minted by review, so that the approval's answer can name the payment before payments has heard of it. */
    paymentId: id,
    revision,
    amount: money,
  }),
});
