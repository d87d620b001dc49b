import { Type, type Static } from 'typebox';
import { Day, Id, Money, nullable, nullableText, oneOf, Timestamp } from './scalars.js';
import { PAYMENT_STATUSES } from './words.js';

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
    failureReason: nullableText(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { additionalProperties: false },
);
export type Payment = Static<typeof Payment>;
