import 'reflect-metadata';
import type { FailureReason, PaymentStatus } from '@payroll/kernel';
import { CalendarDate, EVERYBODY, Money, Teams, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/payment.js';
import { FailureReasonEnum, PaymentStatusEnum } from './enums.js';

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Money owed for approved work. Only a completed payment has been paid out.' })
export class Payment implements domain.Payment {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The contract that the work was done under.' })
  contractId!: string;

  @Field(() => ID, { description: 'The timesheet it is for; null when it is for a milestone.', nullable: true })
  timesheetId!: string | null;

  @Field(() => ID, { description: 'The milestone it is for; null when it is for a timesheet.', nullable: true })
  milestoneId!: string | null;

  @Field(() => PaymentStatusEnum, { description: 'How far it is.' })
  status!: PaymentStatus;

  @Field(() => Money, { description: 'What was approved, before deductions.' })
  grossAmount!: Money;

  @Field(() => Money, { description: 'What the worker gets after deductions.' })
  netAmount!: Money;

  @Field(() => CalendarDate, { nullable: true, description: 'The UTC day it is due; null when it is due at once.' })
  scheduledDate!: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'When its processing began, the last time it did.' })
  processedAt!: string | null;

  @Field(() => Timestamp, { description: 'When the provider had settled it; null until then.', nullable: true })
  completedAt!: string | null;

  @Field(() => FailureReasonEnum, { nullable: true, description: 'Of a failed payment.' })
  failureReason!: FailureReason | null;

  @Field(() => Timestamp, { description: 'When it was created, just after its work was approved.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of payments.' })
export class PaymentPage {
  @Field(() => [Payment], { description: 'What is on this page.' })
  nodes!: Payment[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
export class Contract {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;
}
