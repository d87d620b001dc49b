import 'reflect-metadata';
import { MILESTONE_STATUSES, type MilestoneStatus } from '@payroll/kernel';
import {
  DateField,
  DecimalField,
  EVERYBODY,
  FieldOf,
  IdField,
  IntField,
  type Money,
  MoneyField,
  NULLABLE,
  PageArguments,
  pageOf,
  Teams,
  TERMS_READERS,
  TextField,
  TimeField,
} from '@payroll/subgraph';
import { ArgsType, Directive, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { ChangedDetails } from '../domain/milestone.js';

const MilestoneStatusEnum = Object.fromEntries(MILESTONE_STATUSES.map((status) => [status, status]));
registerEnumType(MilestoneStatusEnum, {
  name: 'MilestoneStatus',
  description: 'Where a milestone is: completed while its payout is under way, paid once that has arrived.',
});

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A piece of work agreed on as a whole, for a fixed amount.' })
export class Milestone {
  @IdField('Its id, a UUID.') id!: string;
  @IdField('The contract that it is a part of.') contractId!: string;
  @TextField('1–200 characters.') title!: string;
  @Teams(...TERMS_READERS)
  @TextField('What is to be done; null when nothing was written.', NULLABLE)
  description!: string | null;
  @FieldOf(() => MilestoneStatusEnum, 'Where it is between plan and payment.') status!: MilestoneStatus;
  @MoneyField('What its approval pays.') amount!: Money;
  @DateField('When it is agreed to be done.', NULLABLE) dueDate!: string | null;
  @DateField('The day of its approval, when paying is attempted.', NULLABLE) paymentDate!: string | null;
  @Teams(...TERMS_READERS)
  @TextField('Why it was rejected; null unless it is.', NULLABLE)
  rejectionReason!: string | null;
  @IdField('Set once approval has created a payment.', NULLABLE) paymentId!: string | null;
  @IntField('Its place among the milestones of the contract.') sortOrder!: number;
  @TimeField('When it was added to the contract.') createdAt!: string;
  @TimeField('Moves with every visible change.') updatedAt!: string;
  @TextField('Stands for all that a reviewer sees; sent back with an approval or rejection.') version!: string;
}

export const MilestonePage = pageOf(Milestone, 'milestones');

@ArgsType()
export class MilestoneListArguments extends PageArguments {
  @IdField('The contract whose milestones are listed.') contractId!: string;
  @FieldOf(() => MilestoneStatusEnum, 'Only milestones in this status.', NULLABLE) status?: MilestoneStatus | null;
}

@InputType({ description: 'A milestone to be agreed on, in the currency of its contract.' })
export class MilestoneInput {
  @IdField('A contract that is not over.') contractId!: string;
  @TextField('1–200 characters.') title!: string;
  @TextField('At most 10000 characters.', NULLABLE) description?: string | null;
  @DecimalField('Above zero.') amount!: string;
  @DateField('The day it is due; null for none.', NULLABLE) dueDate?: string | null;
  @IntField('Its place among the milestones of the contract.', { defaultValue: 0 }) sortOrder!: number;
}

@InputType({ description: 'What changes; what is not given stays, and null clears description and dueDate.' })
export class MilestoneChangeInput implements ChangedDetails {
  @TextField('1–200 characters.', NULLABLE) title?: string | null;
  @TextField('At most 10000 characters.', NULLABLE) description?: string | null;
  @DecimalField('Above zero.', NULLABLE) amount?: string | null;
  @DateField('The day it is due; null clears it.', NULLABLE) dueDate?: string | null;
  @IntField('Its place among the milestones of the contract, from 0.', NULLABLE) sortOrder?: number | null;
}
