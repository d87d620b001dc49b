import { TIMESHEET_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, noted, nullable, oneOf, text, Timestamp } from './scalars.js';

/** What a reviewer has read: sent back as `expectedVersion` (public-api.md §2). */
export const Version = text({
  minLength: 1,
  maxLength: 128,
  description: 'Stands for all that a reviewer sees; changes with it. Opaque: compare it, and nothing else.',
});

export const TimesheetStatus = oneOf(TIMESHEET_STATUSES, { description: 'Where a timesheet is in its review.' });

/** public-api.md §2. */
export const Timesheet = Type.Object(
  {
    id: noted(Id, 'The id of the timesheet.'),
    contractId: noted(Id, 'The contract whose work this is.'),
    status: TimesheetStatus,
    periodStart: noted(Day, 'First day of the work.'),
    periodEnd: noted(Day, 'Last day of the work.'),
    unitsWorked: text({
      maxLength: 40,
      pattern: String.raw`^(0|[1-9]\d*)(\.\d+)?$`,
      description: 'Hours, days or pieces, as the rate is per: a decimal number as text.',
    }),
    rate: noted(Money, 'Per unit worked.'),
    total: noted(Money, 'Rate × units, rounded half-even to the smallest unit of the currency.'),
    paymentScheduledDate: noted(Day, 'The day on which the payment of an approval is due (UTC).'),
    autoPayEnabled: Type.Boolean({
      description: 'Whether the payment is processed by itself on that day: the setting that is in effect.',
    }),
    paymentId: nullable(Id, { description: 'Set once approval has created a payment.' }),
    createdAt: noted(Timestamp, 'When it was created.'),
    updatedAt: noted(Timestamp, 'Moves with every visible change.'),
    version: Version,
  },
  { additionalProperties: false, description: 'Work of a period, handed in for review.' },
);
export type Timesheet = Static<typeof Timesheet>;
