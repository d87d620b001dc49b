import { Type } from 'typebox';
import { defineEvent } from './define-event.js';
import { calendarDate, id, money, revision } from './fields.js';

/** Somebody, or a rule, approved a timesheet: the terms are frozen here, later changes of the contract do not touch it. */
export const timesheetApproved = defineEvent({
  publisher: 'review',
  consumers: ['payments'],
  body: Type.Object({
    timesheetId: id,
    contractId: id,
    /** Minted by review, so that the approval's answer can name the payment before payments has heard of it. */
    paymentId: id,
    revision,
    total: money,
    periodStart: calendarDate,
    periodEnd: calendarDate,
    paymentScheduledDate: calendarDate,
    autoPayEnabled: Type.Boolean(),
  }),
});
