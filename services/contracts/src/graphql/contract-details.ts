import 'reflect-metadata';
import { CalendarDate, Decimal, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as terms from '../domain/terms.js';
import { AgreedMilestone, DraftDetails } from './draft-types.js';

@Teams(...TERMS_READERS)
@ObjectType({ description: 'The terms that hold now: what work and payments are reckoned by.' })
export class ContractTerms implements terms.ContractTerms {
  @Field(() => String, { description: 'ISO 4217.' })
  currency!: string;

  @Field(() => Decimal, { nullable: true, description: 'Per unit worked.' })
  rate!: string | null;

  @Field(() => Int, { description: 'Days from the end of the work period to its payment.' })
  paymentDueDays!: number;

  @Field(() => Boolean, { description: 'Whether payments are processed by themselves when they are due.' })
  autoPayEnabled!: boolean;

  @Field(() => Boolean, {
    description: 'Whether somebody has to approve timesheets; otherwise they approve themselves.',
  })
  timesheetApprovalRequired!: boolean;

  @Field(() => Int, { nullable: true, description: 'After how many days submitted work approves itself; null: never.' })
  autoApproveAfterDays!: number | null;
}

@Teams(...TERMS_READERS)
@ObjectType({
  description: 'All that is kept of a contract beside what its readers see: as agreed in the draft, and what followed.',
})
export class ContractDetails extends DraftDetails {
  @Field(() => [AgreedMilestone], {
    description: 'The milestones that were agreed on, by sortOrder, then as sent. How far they are, review knows.',
  })
  milestones!: AgreedMilestone[];

  @Field(() => ContractTerms, { description: 'The terms that hold now.' })
  terms!: ContractTerms;

  @Field(() => String, { nullable: true, description: 'Given by who made the draft, and unique for that principal.' })
  externalReference!: string | null;

  @Field(() => ID, { description: 'The principal that made the draft.' })
  createdByPrincipal!: string;

  @Field(() => Int, { description: 'Counts the changes that other services are told of.' })
  revision!: number;

  @Field(() => Timestamp, { description: 'When the business signed; null until then.', nullable: true })
  businessSignedAt!: string | null;

  @Field(() => Timestamp, { description: 'When the worker signed; null until then.', nullable: true })
  workerSignedAt!: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'The day it was, or will be, terminated on.' })
  terminationDate!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was returned to draft; null once submitted again.' })
  returnReason!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was cancelled.' })
  cancellationReason!: string | null;
}
