import 'reflect-metadata';
import { PAYMENT_STATUSES, type PaymentStatus, TIMESHEET_STATUSES, type TimesheetStatus } from '@payroll/kernel';
import { CalendarDate, Decimal, EVERYBODY, Money, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import type * as domain from '../domain/timesheet.js';

export const TimesheetStatusEnum = Object.fromEntries(TIMESHEET_STATUSES.map((status) => [status, status]));
registerEnumType(TimesheetStatusEnum, { name: 'TimesheetStatus', description: 'Where a timesheet is in its review.' });

const PaymentStatusEnum = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, status]));
registerEnumType(PaymentStatusEnum, { name: 'PaymentStatus', description: 'How far a payment is.' });

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Work of a period, handed in for review.' })
export class Timesheet implements domain.Timesheet {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The contract that the work was done under.' })
  contractId!: string;

  @Field(() => TimesheetStatusEnum, { description: 'Where it is in its review.' })
  status!: TimesheetStatus;

  @Field(() => CalendarDate, { description: 'The first day of the work.' })
  periodStart!: string;

  @Field(() => CalendarDate, { description: 'The last day of the work.' })
  periodEnd!: string;

  @Field(() => Decimal, { description: 'Hours, days or pieces, as the rate is counted; a decimal string.' })
  unitsWorked!: string;

  @Field(() => Money, { description: 'Per unit worked.' })
  rate!: Money;

  @Field(() => Money, { description: 'Rate × units, rounded half-even to the currency.' })
  total!: Money;

  @Field(() => CalendarDate, { description: "The period's end and the contract's due days." })
  paymentScheduledDate!: string;

  @Field(() => Boolean, { description: 'Whether the payment is processed by itself on that day.' })
  autoPayEnabled!: boolean;

  @Teams(...TERMS_READERS)
  @Field(() => String, { nullable: true, description: 'Why it was rejected; null unless it is.' })
  rejectionReason!: string | null;

  @Field(() => ID, { nullable: true, description: 'Set once approval has created a payment.' })
  paymentId!: string | null;

  @Field(() => PaymentStatusEnum, {
    nullable: true,
    description: 'What payments last told of the payment. It moves neither updatedAt nor version.',
  })
  paymentStatus!: PaymentStatus | null;

  @Field(() => Timestamp, { description: 'When it was handed in, the last time.' })
  submittedAt!: string;

  @Field(() => Timestamp, { description: 'When it was first submitted.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;

  @Field(() => String, { description: 'Stands for all that a reviewer sees; sent back with an approval or rejection.' })
  version!: string;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of timesheets.' })
export class TimesheetPage {
  @Field(() => [Timesheet], { description: 'What is on this page.' })
  nodes!: Timesheet[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The contract whose work this is; owned by the contracts service.' })
export class Contract {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The payment an approval created; owned by the payments service.' })
export class Payment {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;
}
