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
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  contractId!: string;

  @Field(() => ID, { nullable: true })
  timesheetId!: string | null;

  @Field(() => ID, { nullable: true })
  milestoneId!: string | null;

  @Field(() => PaymentStatusEnum)
  status!: PaymentStatus;

  @Field(() => Money)
  grossAmount!: Money;

  @Field(() => Money, { description: 'What the worker gets after deductions.' })
  netAmount!: Money;

  @Field(() => CalendarDate, { nullable: true, description: 'The UTC day it is due; null when it is due at once.' })
  scheduledDate!: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'When its processing began, the last time it did.' })
  processedAt!: string | null;

  @Field(() => Timestamp, { nullable: true })
  completedAt!: string | null;

  @Field(() => FailureReasonEnum, { nullable: true, description: 'Of a failed payment.' })
  failureReason!: FailureReason | null;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
  updatedAt!: string;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of payments.' })
export class PaymentPage {
  @Field(() => [Payment])
  nodes!: Payment[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
export class Contract {
  @Field(() => ID)
  id!: string;
}
