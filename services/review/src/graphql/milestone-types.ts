import 'reflect-metadata';
import { MILESTONE_STATUSES, type MilestoneStatus } from '@payroll/kernel';
import { CalendarDate, EVERYBODY, Money, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type * as domain from '../domain/milestone.js';

export const MilestoneStatusEnum = Object.fromEntries(MILESTONE_STATUSES.map((status) => [status, status]));
registerEnumType(MilestoneStatusEnum, {
  name: 'MilestoneStatus',
  description: 'Where a milestone is: completed while its payout is under way, paid once that has arrived.',
});

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A piece of work agreed on as a whole, for a fixed amount.' })
export class Milestone implements domain.Milestone {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  contractId!: string;

  @Field(() => String)
  title!: string;

  @Teams(...TERMS_READERS)
  @Field(() => String, { nullable: true })
  description!: string | null;

  @Field(() => MilestoneStatusEnum)
  status!: MilestoneStatus;

  @Field(() => Money)
  amount!: Money;

  @Field(() => CalendarDate, { nullable: true, description: 'When it is agreed to be done.' })
  dueDate!: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'The day of its approval, when paying is attempted.' })
  paymentDate!: string | null;

  @Teams(...TERMS_READERS)
  @Field(() => String, { nullable: true, description: 'Why it was rejected; null unless it is.' })
  rejectionReason!: string | null;

  @Field(() => ID, { nullable: true, description: 'Set once approval has created a payment.' })
  paymentId!: string | null;

  @Field(() => Int, { description: 'Its place among the milestones of the contract.' })
  sortOrder!: number;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
  updatedAt!: string;

  @Field(() => String, { description: 'Stands for all that a reviewer sees; sent back with an approval or rejection.' })
  version!: string;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of milestones.' })
export class MilestonePage {
  @Field(() => [Milestone])
  nodes!: Milestone[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}
