import 'reflect-metadata';
import type {
  BenefitFrequency,
  CompensationType,
  FirstPaymentMethod,
  Frequency,
  PaymentMethod,
  SalaryUnit,
  TimesheetSubmitter,
} from '@payroll/kernel';
import { CalendarDate, Decimal, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type * as domain from '../domain/contract-draft.js';
import {
  BenefitFrequencyEnum,
  CompensationTypeEnum,
  FirstPaymentMethodEnum,
  FrequencyEnum,
  PaymentMethodEnum,
  SalaryUnitEnum,
  TimesheetSubmitterEnum,
} from './enums.js';

// What is sent is what is shown: one class for both.

@Teams(...TERMS_READERS)
@ObjectType('Compensation', { description: 'What is paid for the work.' })
@InputType('CompensationInput', { description: 'What is paid for the work.' })
export class Compensation implements domain.Compensation {
  @Field(() => CompensationTypeEnum, { description: 'What the pay is reckoned by.' })
  type!: CompensationType;

  @Field(() => String, { nullable: true, description: 'ISO 4217, three capital letters; USD unless given.' })
  currency?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Per unit worked; above zero.' })
  rate?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  annualSalary?: string | null;

  @Field(() => FrequencyEnum, { description: 'How often it is paid.', nullable: true })
  paymentFrequency?: Frequency | null;

  @Field(() => Decimal, { nullable: true, description: 'Per period; above zero. It is the rate where none is given.' })
  retainerAmount?: string | null;

  @Field(() => SalaryUnitEnum, { description: 'The time that the salary is told for.', nullable: true })
  salaryUnit?: SalaryUnit | null;

  @Field(() => Decimal, { nullable: true, description: 'Zero or more.' })
  signingBonus?: string | null;

  @Field(() => Int, { description: 'Days of probation, from 0.', nullable: true })
  probationPeriodDays?: number | null;

  @Field(() => CalendarDate, { nullable: true, description: 'From when on it holds.' })
  effectiveDate?: string | null;
}

@Teams(...TERMS_READERS)
@ObjectType('InvoicingSettings', { description: 'How work is invoiced and paid.' })
@InputType('InvoicingSettingsInput', { description: 'How work is invoiced and paid.' })
export class InvoicingSettings implements domain.InvoicingSettings {
  @Field(() => PaymentMethodEnum, { description: 'How the worker is paid.', nullable: true })
  paymentMethod?: PaymentMethod | null;

  @Field(() => FrequencyEnum, { description: 'How often work is invoiced.', nullable: true })
  invoiceFrequency?: Frequency | null;

  @Field(() => String, { description: 'The day on which a cycle of work closes, in words.', nullable: true })
  cycleClosesOn?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Days from the end of the work period to its payment; 0 unless given.',
  })
  paymentDueDays?: number | null;

  @Field(() => FirstPaymentMethodEnum, {
    description: 'Whether the first payment is whole or in proportion.',
    nullable: true,
  })
  firstPaymentMethod?: FirstPaymentMethod | null;

  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  firstPaymentAmount?: string | null;

  @Field(() => CalendarDate, { description: 'The day of the first payment.', nullable: true })
  firstPaymentDate?: string | null;

  @Field(() => TimesheetSubmitterEnum, { description: 'Who hands in timesheets.', nullable: true })
  timesheetSubmitter?: TimesheetSubmitter | null;

  @Field(() => Boolean, { nullable: true, description: 'True unless given.' })
  timesheetApprovalRequired?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'After how many days submitted work approves itself; 1 or more.' })
  autoApproveAfterDays?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether due payments are processed by themselves; true unless given.',
  })
  autoPayEnabled?: boolean | null;
}

@Teams(...TERMS_READERS)
@ObjectType('Benefits', { description: 'What comes on top of the compensation.' })
@InputType('BenefitsInput', { description: 'What comes on top of the compensation.' })
export class Benefits implements domain.Benefits {
  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  bonusAmount?: string | null;

  @Field(() => BenefitFrequencyEnum, { description: 'How often the bonus is paid.', nullable: true })
  bonusFrequency?: BenefitFrequency | null;

  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  allowanceAmount?: string | null;

  @Field(() => BenefitFrequencyEnum, { description: 'How often the allowance is paid.', nullable: true })
  allowanceFrequency?: BenefitFrequency | null;

  @Field(() => Decimal, { nullable: true, description: '0–100.' })
  commissionPercentage?: string | null;

  @Field(() => BenefitFrequencyEnum, { description: 'How often the commission is paid.', nullable: true })
  commissionFrequency?: BenefitFrequency | null;

  @Field(() => Int, { description: 'Days off a year, from 0.', nullable: true })
  timeOffDays?: number | null;
}
