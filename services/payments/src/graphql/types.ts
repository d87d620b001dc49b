import 'reflect-metadata';
import { CalendarDate, Money, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { PAYMENT_STATUSES, type PaymentStatus } from '../domain/payment.js';
import type * as domain from '../domain/payment.js';

export const PaymentStatusEnum = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, status]));
registerEnumType(PaymentStatusEnum, { name: 'PaymentStatus', description: 'How far a payment is.' });

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

  @Field(() => CalendarDate, { nullable: true })
  scheduledDate!: string | null;

  @Field(() => Timestamp, { nullable: true })
  processedAt!: string | null;

  @Field(() => Timestamp, { nullable: true })
  completedAt!: string | null;

  @Field(() => String, { nullable: true })
  failureReason!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
  updatedAt!: string;
}

@ObjectType({ description: 'A page of payments.' })
export class PaymentPage {
  @Field(() => [Payment])
  nodes!: Payment[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
export class Contract {
  @Field(() => ID)
  id!: string;
}
