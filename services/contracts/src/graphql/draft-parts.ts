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

  @Field(() => Int, { description: 'Days of notice, from 0; null when nothing was agreed.', nullable: true })
  noticePeriodDays?: number | null;

  @Field(() => DepartmentEnum, { description: 'Where the worker works in the business.', nullable: true })
  department?: Department | null;

  @Field(() => SeniorityEnum, { description: 'How senior the role is.', nullable: true })
  seniority?: Seniority | null;

  @Field(() => EmploymentSubtypeEnum, { description: 'Full-time or part-time; of an employee.', nullable: true })
  employmentSubtype?: EmploymentSubtype | null;

  @Field(() => String, { nullable: true, description: 'At most 20000 characters.' })
  specialClauses?: string | null;

  @Field(() => [String], { description: 'What kinds of services are agreed on.', nullable: true })
  serviceTypes?: string[] | null;

  @Field(() => [String], { description: 'What the worker has to know.', nullable: true })
  skills?: string[] | null;

  @Field(() => [String], { description: 'What the worker works with.', nullable: true })
  tools?: string[] | null;

  @Field(() => DisputeResolutionMethodEnum, { description: 'Who decides a dispute.', nullable: true })
  disputeResolutionMethod?: DisputeResolutionMethod | null;

  @Field(() => String, { nullable: true, description: 'Whose law holds, in two letters.' })
  governingCountry?: string | null;

  @Field(() => String, {
    description: 'Whose law governs, within the country; at most 100 characters.',
    nullable: true,
  })
  governingStateProvince?: string | null;

  @Field(() => String, { description: 'When work is done, in words.', nullable: true })
  workSchedule?: string | null;

  @Field(() => Compensation, { description: 'What is paid; null while nothing is agreed.', nullable: true })
  compensation?: Compensation | null;

  @Field(() => InvoicingSettings, {
    description: 'How and when it is paid; null while nothing is agreed.',
    nullable: true,
  })
  invoicingSettings?: InvoicingSettings | null;

  @Field(() => Benefits, { description: 'What is paid beside it; null when there is nothing.', nullable: true })
  benefits?: Benefits | null;
}
