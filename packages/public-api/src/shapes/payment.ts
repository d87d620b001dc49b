import { FAILURE_REASONS, PAYMENT_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, noted, nullable, oneOf, Timestamp } from './scalars.js';

export const PaymentStatus = oneOf(PAYMENT_STATUSES, {
  description: 'How far a payment is. `completed`, and nothing else, means that the worker was paid.',
});

export const PaymentFailureReason = oneOf(FAILURE_REASONS, {
  description: 'Why a payment failed. `amount_unpayable`: its currency cannot express the amount, or is none.',
});

/** What an approval leads to. `completed` here, and only here, means that the worker was paid (public-api.md §1). */
export const Payment = Type.Object(
  {
    id: noted(Id, 'The id of the payment.'),
    contractId: noted(Id, 'The contract whose work it pays.'),
    timesheetId: nullable(Id, { description: 'The timesheet it pays, if it pays one.' }),
    milestoneId: nullable(Id, { description: 'The milestone it pays, if it pays one.' }),
    status: PaymentStatus,
    grossAmount: noted(Money, 'What was approved.'),
    netAmount: noted(Money, 'What the worker gets after deductions.'),
    scheduledDate: nullable(Day, { description: 'The day it is due (UTC); null when it is due at once.' }),
    processedAt: nullable(Timestamp, { description: 'When its processing began, the last time it did.' }),
    completedAt: nullable(Timestamp, { description: 'When it arrived.' }),
    failureReason: nullable(PaymentFailureReason, { description: 'Of a failed payment.' }),
    createdAt: noted(Timestamp, 'When it was created.'),
    updatedAt: noted(Timestamp, 'Moves with every visible change.'),
  },
  { additionalProperties: false, description: 'Money owed for approved work. Approved work is not paid work.' },
);
export type Payment = Static<typeof Payment>;
