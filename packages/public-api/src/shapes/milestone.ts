import { MILESTONE_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, noted, nullable, nullableText, oneOf, text, Timestamp } from './scalars.js';
import { Version } from './timesheet.js';

export const MilestoneStatus = oneOf(MILESTONE_STATUSES, {
  description: 'Where a milestone is: `completed` while its payout is under way, `paid` once that has arrived.',
});

/** A piece of work agreed on as a whole, for a fixed amount (public-api.md §2). */
export const Milestone = Type.Object(
  {
    id: noted(Id, 'The id of the milestone.'),
    contractId: noted(Id, 'The contract whose work this is.'),
    title: text({ maxLength: 200, description: 'What the milestone is called.' }),
    description: nullableText({ maxLength: 10_000, description: 'What is to be done.' }),
    status: MilestoneStatus,
    amount: noted(Money, 'What its approval pays.'),
    dueDate: nullable(Day, { description: 'When it is agreed to be done.' }),
    paymentDate: nullable(Day, { description: 'The day of its approval (UTC), when paying is attempted.' }),
    paymentId: nullable(Id, { description: 'Set once approval has created a payment.' }),
    createdAt: noted(Timestamp, 'When it was created.'),
    updatedAt: noted(Timestamp, 'Moves with every visible change.'),
    version: Version,
  },
  { additionalProperties: false, description: 'A piece of work agreed on as a whole, for a fixed amount.' },
);
export type Milestone = Static<typeof Milestone>;
