import { FAILURE_REASONS, PAYMENT_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, nullable, oneOf, Timestamp } from './scalars.js';

/** What an approval leads to. `completed` here, and only here, means that the worker was paid (public-api.md §1). */
export const Payment = Type.Object(
  {
    id: Id,
    contractId: Id,
    timesheetId: nullable(Id),
    milestoneId: nullable(Id),
    status: oneOf(PAYMENT_STATUSES),
    grossAmount: Money,
    netAmount: Money,
    scheduledDate: nullable(Day),
    processedAt: nullable(Timestamp),
    completedAt: nullable(Timestamp),
    failureReason: nullable(oneOf(FAILURE_REASONS)),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { additionalProperties: false },
);
export type Payment = Static<typeof Payment>;
