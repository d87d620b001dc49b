import {
  ROLES,
  TEAMS,
  PAYMENT_STATUSES,
  type PaymentStatus,
  TIMESHEET_STATUSES,
  type TimesheetStatus,
} from '@payroll/kernel';
import {
  enumOf,
  field,
  FollowedPageArguments,
  type Money,
  NULLABLE,
  pageType,
  VisibleTo,
  TERMS_READERS,
} from '@payroll/service';
import { ArgsType, Directive, InputType, ObjectType } from 'type-graphql';
import type { Entry } from '../domain/own-work.js';
import type { CorrectedWork, PeriodOfWork } from '../domain/timesheet.js';

export const TimesheetStatusEnum = enumOf('TimesheetStatus', TIMESHEET_STATUSES, 'Where a timesheet is in its review.');

export const PaymentStatusEnum = enumOf('PaymentStatus', PAYMENT_STATUSES, 'How far a payment is.');

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Work of a period, handed in for review.' })
export class Timesheet {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that the work was done under.') contractId!: string;
  @field.of(() => TimesheetStatusEnum, 'Where it is in its review.') status!: TimesheetStatus;
  @field.day('The first day of the work.') periodStart!: string;
  @field.day('The last day of the work.') periodEnd!: string;
  @field.decimal('Hours, days or pieces, as the rate is counted; a decimal string.') unitsWorked!: string;
  @field.money('Per unit worked.') rate!: Money;
  @field.money('Rate × units, rounded half-even to the currency.') total!: Money;
  @field.day("The period's end and the contract's due days.") paymentScheduledDate!: string;
  @field.boolean('Whether the payment is processed by itself on that day.') autoPayEnabled!: boolean;
  @VisibleTo({ teams: TERMS_READERS })
  @field.text('Why it was rejected; null unless it is.', NULLABLE)
  rejectionReason!: string | null;
  @field.id('Set once approval has created a payment.', NULLABLE) paymentId!: string | null;
  @field.of(
    () => PaymentStatusEnum,
    'What payments last told of the payment. It moves neither updatedAt nor version.',
    NULLABLE,
  )
  paymentStatus!: PaymentStatus | null;
  @field.time('When it was handed in, the last time.') submittedAt!: string;
  @field.time('When it was first submitted.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
  @field.text('Stands for all that a reviewer sees; sent back with an approval or rejection.') version!: string;
}

@VisibleTo({ teams: TERMS_READERS, people: [...ROLES, 'worker'] })
@ObjectType({ description: 'The work of one day.' })
export class TimesheetEntry implements Entry {
  @field.day('The day.') day!: string;
  @field.decimal('Hours.') units!: string;
  @field.text('A note on the work; null where there is none.', NULLABLE) note?: string | null | undefined;
}

export const TimesheetPage = pageType(Timesheet, 'timesheets');

@ArgsType()
export class TimesheetListArguments extends FollowedPageArguments {
  @field.of(() => TimesheetStatusEnum, 'Only timesheets in this status.', NULLABLE) status?: TimesheetStatus | null;
  @field.id('Only work under this contract.', NULLABLE) contractId?: string | null;
}

@InputType({ description: 'Work of a period under a contract.' })
export class TimesheetInput implements PeriodOfWork {
  @field.id('An active contract with a rate, or one that is being wound up.') contractId!: string;
  @field.day('The first day of the work.') periodStart!: string;
  @field.day('The last day of the work; not before the first.') periodEnd!: string;
  @field.decimal('Hours, days or pieces, as the rate is per.') unitsWorked!: string;
}

@InputType({ description: 'What is corrected about rejected work; what is not given stays as it was.' })
export class CorrectedWorkInput implements CorrectedWork {
  @field.day('The first day of the work.', NULLABLE) periodStart?: string | null;
  @field.day('The last day of the work; not before the first.', NULLABLE) periodEnd?: string | null;
  @field.decimal('Above zero; a decimal string.', NULLABLE) unitsWorked?: string | null;
}
