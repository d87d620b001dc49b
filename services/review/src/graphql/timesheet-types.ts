import 'reflect-metadata';
import { PAYMENT_STATUSES, type PaymentStatus, TIMESHEET_STATUSES, type TimesheetStatus } from '@payroll/kernel';
import {
  BooleanField,
  DateField,
  DecimalField,
  EVERYBODY,
  FieldOf,
  FollowedPageArguments,
  IdField,
  type Money,
  MoneyField,
  NULLABLE,
  pageOf,
  Teams,
  TERMS_READERS,
  TextField,
  TimeField,
} from '@payroll/subgraph';
import { ArgsType, Directive, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { CorrectedWork, PeriodOfWork } from '../domain/timesheet.js';

const TimesheetStatusEnum = Object.fromEntries(TIMESHEET_STATUSES.map((status) => [status, status]));
registerEnumType(TimesheetStatusEnum, { name: 'TimesheetStatus', description: 'Where a timesheet is in its review.' });

const PaymentStatusEnum = Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, status]));
registerEnumType(PaymentStatusEnum, { name: 'PaymentStatus', description: 'How far a payment is.' });

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Work of a period, handed in for review.' })
export class Timesheet {
  @IdField('Its id, a UUID.') id!: string;
  @IdField('The contract that the work was done under.') contractId!: string;
  @FieldOf(() => TimesheetStatusEnum, 'Where it is in its review.') status!: TimesheetStatus;
  @DateField('The first day of the work.') periodStart!: string;
  @DateField('The last day of the work.') periodEnd!: string;
  @DecimalField('Hours, days or pieces, as the rate is counted; a decimal string.') unitsWorked!: string;
  @MoneyField('Per unit worked.') rate!: Money;
  @MoneyField('Rate × units, rounded half-even to the currency.') total!: Money;
  @DateField("The period's end and the contract's due days.") paymentScheduledDate!: string;
  @BooleanField('Whether the payment is processed by itself on that day.') autoPayEnabled!: boolean;
  @Teams(...TERMS_READERS)
  @TextField('Why it was rejected; null unless it is.', NULLABLE)
  rejectionReason!: string | null;
  @IdField('Set once approval has created a payment.', NULLABLE) paymentId!: string | null;
  @FieldOf(
    () => PaymentStatusEnum,
    'What payments last told of the payment. It moves neither updatedAt nor version.',
    NULLABLE,
  )
  paymentStatus!: PaymentStatus | null;
  @TimeField('When it was handed in, the last time.') submittedAt!: string;
  @TimeField('When it was first submitted.') createdAt!: string;
  @TimeField('Moves with every visible change.') updatedAt!: string;
  @TextField('Stands for all that a reviewer sees; sent back with an approval or rejection.') version!: string;
}

export const TimesheetPage = pageOf(Timesheet, 'timesheets');

@ArgsType()
export class TimesheetListArguments extends FollowedPageArguments {
  @FieldOf(() => TimesheetStatusEnum, 'Only timesheets in this status.', NULLABLE) status?: TimesheetStatus | null;
  @IdField('Only work under this contract.', NULLABLE) contractId?: string | null;
}

@InputType({ description: 'Work of a period under a contract.' })
export class TimesheetInput implements PeriodOfWork {
  @IdField('An active contract with a rate, or one that is being wound up.') contractId!: string;
  @DateField('The first day of the work.') periodStart!: string;
  @DateField('The last day of the work; not before the first.') periodEnd!: string;
  @DecimalField('Hours, days or pieces, as the rate is per.') unitsWorked!: string;
}

@InputType({ description: 'What is corrected about rejected work; what is not given stays as it was.' })
export class CorrectedWorkInput implements CorrectedWork {
  @DateField('The first day of the work.', NULLABLE) periodStart?: string | null;
  @DateField('The last day of the work; not before the first.', NULLABLE) periodEnd?: string | null;
  @DecimalField('Above zero; a decimal string.', NULLABLE) unitsWorked?: string | null;
}
