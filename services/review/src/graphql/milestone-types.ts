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
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The contract that it is a part of.' })
  contractId!: string;

  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Teams(...TERMS_READERS)
  @Field(() => String, { description: 'What is to be done; null when nothing was written.', nullable: true })
  description!: string | null;

  @Field(() => MilestoneStatusEnum, { description: 'Where it is between plan and payment.' })
  status!: MilestoneStatus;

  @Field(() => Money, { description: 'What its approval pays.' })
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

  @Field(() => Timestamp, { description: 'When it was added to the contract.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;

  @Field(() => String, { description: 'Stands for all that a reviewer sees; sent back with an approval or rejection.' })
  version!: string;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of milestones.' })
export class MilestonePage {
  @Field(() => [Milestone], { description: 'What is on this page.' })
  nodes!: Milestone[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}
