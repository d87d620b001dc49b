import { CONTRACT_STATUSES, CONTRACT_TYPES, EMPLOYMENT_TYPES } from '@payroll/kernel';
import { Type } from 'typebox';
import { defineEvent } from './define-event.js';
import { calendarDate, currency, days, decimal, id, money, revision } from './fields.js';

/** Anything about a contract changed that review or payments keep: its whole state, so that the newest one is enough. */
export const contractChanged = defineEvent({
  publisher: 'contracts',
  consumers: ['review', 'payments'],
  body: Type.Object({
    contractId: id,
    revision,
    status: Type.Enum(CONTRACT_STATUSES),
    employmentType: Type.Enum(EMPLOYMENT_TYPES),
    contractType: Type.Enum(CONTRACT_TYPES),
    workerId: Type.Union([id, Type.Null()]),
    currency,
    rate: Type.Union([decimal, Type.Null()]),
    paymentDueDays: days,
    autoPayEnabled: Type.Boolean(),
    autoApproveAfterDays: Type.Union([days, Type.Null()]),
    timesheetApprovalRequired: Type.Boolean(),
    deleted: Type.Boolean(),
  }),
});

/**
 * The milestones a draft came with; they become review's. Their titles and descriptions tell of the work, and of nobody.
 */
export const contractMilestonesAgreed = defineEvent({
  publisher: 'contracts',
  consumers: ['review'],
  body: Type.Object({
    contractId: id,
    milestones: Type.Array(
      Type.Object({
        milestoneId: id,
        title: Type.String(),
        description: Type.Union([Type.String(), Type.Null()]),
        amount: money,
        dueDate: Type.Union([calendarDate, Type.Null()]),
        sortOrder: revision,
      }),
    ),
    /** By the milestone's id, how often it was agreed anew. */
    agreements: Type.Optional(Type.Record(Type.String(), revision)),
  }),
});
