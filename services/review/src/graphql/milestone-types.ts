import { ROLES, TEAMS, MILESTONE_STATUSES, type MilestoneStatus } from '@payroll/kernel';
import {
  enumOf,
  field,
  type Money,
  NULLABLE,
  PageArguments,
  pageType,
  VisibleTo,
  TERMS_READERS,
} from '@payroll/service';
import { ArgsType, Directive, InputType, ObjectType } from 'type-graphql';
import type { ChangedDetails } from '../domain/milestone.js';

export const MilestoneStatusEnum = enumOf(
  'MilestoneStatus',
  MILESTONE_STATUSES,
  'Where a milestone is: completed while its payout is under way, paid once that has arrived.',
);

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A piece of work agreed on as a whole, for a fixed amount.' })
export class Milestone {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that it is a part of.') contractId!: string;
  @field.text('1–200 characters.') title!: string;
  @VisibleTo({ teams: TERMS_READERS })
  @field.text('What is to be done; null when nothing was written.', NULLABLE)
  description!: string | null;
  @field.of(() => MilestoneStatusEnum, 'Where it is between plan and payment.') status!: MilestoneStatus;
  @field.money('What its approval pays.') amount!: Money;
  @field.day('When it is agreed to be done.', NULLABLE) dueDate!: string | null;
  @field.day('The day of its approval, when paying is attempted.', NULLABLE) paymentDate!: string | null;
  @VisibleTo({ teams: TERMS_READERS })
  @field.text('Why it was rejected; null unless it is.', NULLABLE)
  rejectionReason!: string | null;
  @field.id('Set once approval has created a payment.', NULLABLE) paymentId!: string | null;
  @field.int('Its place among the milestones of the contract.') sortOrder!: number;
  @field.time('When it was added to the contract.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
  @field.text('Stands for all that a reviewer sees; sent back with an approval or rejection.') version!: string;
}

export const MilestonePage = pageType(Milestone, 'milestones');

@ArgsType()
export class MilestoneListArguments extends PageArguments {
  @field.id('Only milestones of this contract.', NULLABLE) contractId?: string | null;
  @field.of(() => MilestoneStatusEnum, 'Only milestones in this status.', NULLABLE) status?: MilestoneStatus | null;
}

@InputType({ description: 'A milestone to be agreed on, in the currency of its contract.' })
export class MilestoneInput {
  @field.id('A contract that is not over.') contractId!: string;
  @field.text('1–200 characters.') title!: string;
  @field.text('At most 10000 characters.', NULLABLE) description?: string | null;
  @field.decimal('Above zero.') amount!: string;
  @field.day('The day it is due; null for none.', NULLABLE) dueDate?: string | null;
  @field.int('Its place among the milestones of the contract.', { defaultValue: 0 }) sortOrder!: number;
}

@InputType({ description: 'What changes; what is not given stays, and null clears description and dueDate.' })
export class MilestoneChangeInput implements ChangedDetails {
  @field.text('1–200 characters.', NULLABLE) title?: string | null;
  @field.text('At most 10000 characters.', NULLABLE) description?: string | null;
  @field.decimal('Above zero.', NULLABLE) amount?: string | null;
  @field.day('The day it is due; null clears it.', NULLABLE) dueDate?: string | null;
  @field.int('Its place among the milestones of the contract, from 0.', NULLABLE) sortOrder?: number | null;
}
