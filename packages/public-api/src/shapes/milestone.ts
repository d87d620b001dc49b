import { MILESTONE_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, nullable, nullableText, oneOf, text, Timestamp } from './scalars.js';
import { Version } from './timesheet.js';

/** A piece of work agreed on as a whole, for a fixed amount (public-api.md §2). */
export const Milestone = Type.Object(
  {
    id: Id,
    contractId: Id,
    title: text(),
    description: nullableText(),
    status: oneOf(MILESTONE_STATUSES),
    amount: Money,
    dueDate: nullable(Day),
    paymentDate: nullable(Day),
    paymentId: nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { additionalProperties: false },
);
export type Milestone = Static<typeof Milestone>;
