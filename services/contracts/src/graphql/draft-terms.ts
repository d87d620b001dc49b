import 'reflect-metadata';
import { CalendarDate, Decimal } from '@payroll/subgraph';
import { Field, InputType, Int } from 'type-graphql';
import type { Benefits, Compensation, InvoicingSettings } from '../domain/contract-draft.js';
import type {
  BenefitFrequency,
  CompensationType,
  FirstPaymentMethod,
  Frequency,
  PaymentMethod,
  SalaryUnit,
  TimesheetSubmitter,
} from '../domain/draft-words.js';
import {
  BenefitFrequencyEnum,
  CompensationTypeEnum,
  FirstPaymentMethodEnum,
  FrequencyEnum,
  PaymentMethodEnum,
  SalaryUnitEnum,
  TimesheetSubmitterEnum,
} from './enums.js';

@InputType({ description: 'What is paid for the work.' })
export class CompensationInput implements Compensation {
  @Field(() => CompensationTypeEnum)
  type!: CompensationType;

  @Field(() => String, { nullable: true })
  currency?: string | null;

  @Field(() => Decimal, { nullable: true })
  rate?: string | null;

  @Field(() => Decimal, { nullable: true })
  annualSalary?: string | null;

  @Field(() => FrequencyEnum, { nullable: true })
  paymentFrequency?: Frequency | null;

  @Field(() => Decimal, { nullable: true })
  retainerAmount?: string | null;

  @Field(() => SalaryUnitEnum, { nullable: true })
  salaryUnit?: SalaryUnit | null;

  @Field(() => Decimal, { nullable: true })
  signingBonus?: string | null;

  @Field(() => Int, { nullable: true })
  probationPeriodDays?: number | null;

  @Field(() => CalendarDate, { nullable: true })
  effectiveDate?: string | null;
}

@InputType({ description: 'How work is invoiced and paid.' })
export class InvoicingSettingsInput implements InvoicingSettings {
  @Field(() => PaymentMethodEnum, { nullable: true })
  paymentMethod?: PaymentMethod | null;

  @Field(() => FrequencyEnum, { nullable: true })
  invoiceFrequency?: Frequency | null;

  @Field(() => String, { nullable: true })
  cycleClosesOn?: string | null;

  @Field(() => Int, { nullable: true })
  paymentDueDays?: number | null;

  @Field(() => FirstPaymentMethodEnum, { nullable: true })
  firstPaymentMethod?: FirstPaymentMethod | null;

  @Field(() => Decimal, { nullable: true })
  firstPaymentAmount?: string | null;

  @Field(() => CalendarDate, { nullable: true })
  firstPaymentDate?: string | null;

  @Field(() => TimesheetSubmitterEnum, { nullable: true })
  timesheetSubmitter?: TimesheetSubmitter | null;

  @Field(() => Boolean, { nullable: true })
  timesheetApprovalRequired?: boolean | null;

  @Field(() => Int, { nullable: true })
  autoApproveAfterDays?: number | null;

  @Field(() => Boolean, { nullable: true })
  autoPayEnabled?: boolean | null;
}

@InputType({ description: 'What comes on top of the compensation.' })
export class BenefitsInput implements Benefits {
  @Field(() => Decimal, { nullable: true })
  bonusAmount?: string | null;

  @Field(() => BenefitFrequencyEnum, { nullable: true })
  bonusFrequency?: BenefitFrequency | null;

  @Field(() => Decimal, { nullable: true })
  allowanceAmount?: string | null;

  @Field(() => BenefitFrequencyEnum, { nullable: true })
  allowanceFrequency?: BenefitFrequency | null;

  @Field(() => Decimal, { nullable: true })
  commissionPercentage?: string | null;

  @Field(() => BenefitFrequencyEnum, { nullable: true })
  commissionFrequency?: BenefitFrequency | null;

  @Field(() => Int, { nullable: true })
  timeOffDays?: number | null;
}
