import 'reflect-metadata';
import { CalendarDate } from '@payroll/subgraph';
import { Field, InputType, Int } from 'type-graphql';
import type { ContractDraft } from '../domain/contract-draft.js';
import type {
  ContractType,
  Department,
  DisputeResolutionMethod,
  EmploymentSubtype,
  EmploymentType,
  Seniority,
} from '../domain/draft-words.js';
import {
  ContractTypeEnum,
  DepartmentEnum,
  DisputeResolutionMethodEnum,
  EmploymentSubtypeEnum,
  EmploymentTypeEnum,
  SeniorityEnum,
} from './enums.js';
import { BenefitsInput, CompensationInput, InvoicingSettingsInput } from './terms-input.js';
import { CreatorDeliverableInput, CreatorTermsInput, MilestoneInput } from './work-input.js';

@InputType({ description: 'A draft, to be completed and signed in the application. Only the title is required.' })
export class ContractDraftInput implements ContractDraft {
  @Field(() => String)
  title!: string;

  @Field(() => String, { nullable: true })
  professionalEmail?: string | null;

  @Field(() => String, { nullable: true })
  description?: string | null;

  @Field(() => EmploymentTypeEnum, { nullable: true })
  employmentType?: EmploymentType | null;

  @Field(() => ContractTypeEnum, { nullable: true })
  contractType?: ContractType | null;

  @Field(() => String, { nullable: true })
  countryOfEmployment?: string | null;

  @Field(() => CalendarDate, { nullable: true })
  startDate?: string | null;

  @Field(() => CalendarDate, { nullable: true })
  endDate?: string | null;

  @Field(() => CalendarDate, { nullable: true })
  terminationDate?: string | null;

  @Field(() => Int, { nullable: true })
  noticePeriodDays?: number | null;

  @Field(() => DepartmentEnum, { nullable: true })
  department?: Department | null;

  @Field(() => SeniorityEnum, { nullable: true })
  seniority?: Seniority | null;

  @Field(() => EmploymentSubtypeEnum, { nullable: true })
  employmentSubtype?: EmploymentSubtype | null;

  @Field(() => String, { nullable: true })
  specialClauses?: string | null;

  @Field(() => [String], { nullable: true })
  serviceTypes?: string[] | null;

  @Field(() => [String], { nullable: true })
  skills?: string[] | null;

  @Field(() => [String], { nullable: true })
  tools?: string[] | null;

  @Field(() => DisputeResolutionMethodEnum, { nullable: true })
  disputeResolutionMethod?: DisputeResolutionMethod | null;

  @Field(() => String, { nullable: true })
  governingCountry?: string | null;

  @Field(() => String, { nullable: true })
  governingStateProvince?: string | null;

  @Field(() => String, { nullable: true })
  workSchedule?: string | null;

  @Field(() => String, { nullable: true })
  externalReference?: string | null;

  @Field(() => CompensationInput, { nullable: true })
  compensation?: CompensationInput | null;

  @Field(() => InvoicingSettingsInput, { nullable: true })
  invoicingSettings?: InvoicingSettingsInput | null;

  @Field(() => BenefitsInput, { nullable: true })
  benefits?: BenefitsInput | null;

  @Field(() => [MilestoneInput], { nullable: true })
  milestones?: MilestoneInput[] | null;

  @Field(() => CreatorTermsInput, { nullable: true })
  creatorTerms?: CreatorTermsInput | null;

  @Field(() => [CreatorDeliverableInput], { nullable: true })
  creatorDeliverables?: CreatorDeliverableInput[] | null;
}
