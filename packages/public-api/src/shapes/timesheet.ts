import { TIMESHEET_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, nullable, oneOf, text, Timestamp } from './scalars.js';

/** What a reviewer has read: sent back as `expectedVersion` (public-api.md §2). */
export const Version = text({ minLength: 1, maxLength: 128 });

/** public-api.md §2. */
export const Timesheet = Type.Object(
  {
    id: Id,
    contractId: Id,
    status: oneOf(TIMESHEET_STATUSES),
    periodStart: Day,
    periodEnd: Day,
    unitsWorked: text(),
    rate: Money,
    total: Money,
    paymentScheduledDate: Day,
    autoPayEnabled: Type.Boolean({ description: 'The automatic payment that is in effect.' }),
    paymentId: nullable(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    version: Version,
  },
  { additionalProperties: false },
);
export type Timesheet = Static<typeof Timesheet>;
