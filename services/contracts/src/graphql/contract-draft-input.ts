import 'reflect-metadata';
import type { ContractType, EmploymentType } from '@payroll/kernel';
import { CalendarDate } from '@payroll/subgraph';
import { Field, InputType } from 'type-graphql';
import type { ContractDraft, DraftChanges } from '../domain/contract-draft.js';
import { DraftParts } from './draft-parts.js';
import {
  CreatorDeliverableInput,
  CreatorTermsInput,
  DraftMilestoneInput,
  MilestoneCorrectionInput,
} from './draft-work.js';
import { ContractTypeEnum, EmploymentTypeEnum } from './enums.js';

@InputType()
abstract class DraftFields extends DraftParts {
  @Field(() => EmploymentTypeEnum, { nullable: true, description: 'Follows the contract type unless given.' })
  employmentType?: EmploymentType | null;

  @Field(() => ContractTypeEnum, { nullable: true, description: 'Must agree with the employment type.' })
  contractType?: ContractType | null;

  @Field(() => CalendarDate, { description: 'The first day.', nullable: true })
  startDate?: string | null;

  @Field(() => CalendarDate, { description: 'The last day; not before the first.', nullable: true })
  endDate?: string | null;

  @Field(() => CalendarDate, { description: 'The day it ends early, where that is known already.', nullable: true })
  terminationDate?: string | null;

  @Field(() => CreatorTermsInput, { description: 'Of a creator contract.', nullable: true })
  creatorTerms?: CreatorTermsInput | null;

  @Field(() => [CreatorDeliverableInput], { description: 'What a creator delivers.', nullable: true })
  creatorDeliverables?: CreatorDeliverableInput[] | null;
}

@InputType({ description: 'A draft, to be completed and signed in the application. Only the title is required.' })
export class ContractDraftInput extends DraftFields implements ContractDraft {
  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Unique within workspace and principal; at most 128 characters.',
  })
  externalReference?: string | null;

  @Field(() => [DraftMilestoneInput], { nullable: true, description: 'They become milestones of review, pending.' })
  milestones?: DraftMilestoneInput[] | null;
}

@InputType({
  description:
    'What to fill in or correct: what is not given stays, null clears, objects and lists are replaced whole.',
})
export class ContractDraftChangesInput extends DraftFields implements DraftChanges {
  @Field(() => String, { nullable: true, description: '1–200 characters.' })
  title?: string | null;

  @Field(() => [MilestoneCorrectionInput], { nullable: true, description: 'Of milestones agreed on before.' })
  correctedMilestones?: MilestoneCorrectionInput[] | null;

  @Field(() => [DraftMilestoneInput], { nullable: true, description: 'Milestones beside those agreed on before.' })
  furtherMilestones?: DraftMilestoneInput[] | null;
}
