import 'reflect-metadata';
import type { Department, DisputeResolutionMethod, EmploymentSubtype, Seniority } from '@payroll/kernel';
import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { Benefits, Compensation, InvoicingSettings } from './draft-terms.js';
import { DepartmentEnum, DisputeResolutionMethodEnum, EmploymentSubtypeEnum, SeniorityEnum } from './enums.js';

/** What the application fills in and internal teams read; the API's readers see none of it (public-api.md §2). */
@ObjectType()
@InputType()
export abstract class DraftParts {
  @Field(() => String, { nullable: true, description: 'The address of the worker at work.' })
  professionalEmail?: string | null;

  @Field(() => String, { nullable: true, description: 'What the work is; at most 10000 characters.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'Two letters; needed for employees.' })
  countryOfEmployment?: string | null;

  @Field(() => Int, { nullable: true })
  noticePeriodDays?: number | null;

  @Field(() => DepartmentEnum, { nullable: true })
  department?: Department | null;

  @Field(() => SeniorityEnum, { nullable: true })
  seniority?: Seniority | null;

  @Field(() => EmploymentSubtypeEnum, { nullable: true })
  employmentSubtype?: EmploymentSubtype | null;

  @Field(() => String, { nullable: true, description: 'At most 20000 characters.' })
  specialClauses?: string | null;

  @Field(() => [String], { nullable: true })
  serviceTypes?: string[] | null;

  @Field(() => [String], { nullable: true })
  skills?: string[] | null;

  @Field(() => [String], { nullable: true })
  tools?: string[] | null;

  @Field(() => DisputeResolutionMethodEnum, { nullable: true })
  disputeResolutionMethod?: DisputeResolutionMethod | null;

  @Field(() => String, { nullable: true, description: 'Whose law holds, in two letters.' })
  governingCountry?: string | null;

  @Field(() => String, { nullable: true })
  governingStateProvince?: string | null;

  @Field(() => String, { nullable: true })
  workSchedule?: string | null;

  @Field(() => Compensation, { nullable: true })
  compensation?: Compensation | null;

  @Field(() => InvoicingSettings, { nullable: true })
  invoicingSettings?: InvoicingSettings | null;

  @Field(() => Benefits, { nullable: true })
  benefits?: Benefits | null;
}
