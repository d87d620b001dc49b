import 'reflect-metadata';
import type { CreatorFormat, CreatorPlatform, Exclusivity, IpOwnership } from '@payroll/kernel';
import { CalendarDate, Decimal, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type * as domain from '../domain/contract-draft.js';
import { CreatorFormatEnum, CreatorPlatformEnum, ExclusivityEnum, IpOwnershipEnum } from './enums.js';

@ObjectType()
@InputType()
abstract class MilestoneParts implements domain.DraftMilestone {
  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Field(() => String, { description: 'What is to be done; at most 10000 characters.', nullable: true })
  description?: string | null;

  @Field(() => Decimal, { description: 'In the currency of the compensation, else USD; above zero.' })
  amount!: string;

  @Field(() => CalendarDate, { description: 'The day it is due.', nullable: true })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'Its place among the milestones; the order given unless told.' })
  sortOrder?: number | null;

  @Field(() => [ID], { description: 'Documents about it, by their ids.', nullable: true })
  documentIds?: string[] | null;
}

@InputType({ description: 'A milestone agreed with the draft.' })
export class DraftMilestoneInput extends MilestoneParts {}

@InputType({ description: 'Corrects an agreed milestone: what is not given stays, null clears what need not be.' })
export class MilestoneCorrectionInput implements domain.MilestoneCorrection {
  @Field(() => ID, { description: 'The id of the milestone.' })
  id!: string;

  @Field(() => String, { nullable: true, description: '1–200 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What is to be done.' })
  description?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  amount?: string | null;

  @Field(() => CalendarDate, { nullable: true, description: 'When it is to be done.' })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'Its place among the milestones.' })
  sortOrder?: number | null;

  @Field(() => [ID], { nullable: true, description: 'Documents that belong to it.' })
  documentIds?: string[] | null;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'A milestone as it was agreed with the draft; what became of it since, review tells.' })
export class AgreedMilestone extends MilestoneParts implements domain.AgreedMilestone {
  @Field(() => ID, { description: 'The id of the milestone, a UUID; review has it under the same.' })
  id!: string;
}

@InputType({ description: 'What a creator and the business agree on.' })
export class CreatorTermsInput implements domain.CreatorTerms {
  @Field(() => ExclusivityEnum, { description: 'Whether the creator works for others, too.' })
  exclusivity!: Exclusivity;

  @Field(() => CalendarDate, { description: 'The last day of a fixed term.', nullable: true })
  exclusivityEndDate?: string | null;

  @Field(() => IpOwnershipEnum, { description: 'Who owns what is made.' })
  ipOwnership!: IpOwnership;

  @Field(() => String, { description: 'How it may be used, in words; at most 2000 characters.', nullable: true })
  usageNote?: string | null;
}

@InputType({ description: 'A piece of content a creator delivers.' })
export class CreatorDeliverableInput implements domain.DraftDeliverable {
  @Field(() => CreatorPlatformEnum, { description: 'Where it is published.' })
  platform!: CreatorPlatform;

  @Field(() => CreatorFormatEnum, { description: 'What it is.' })
  format!: CreatorFormat;

  @Field(() => String, { description: '1–2000 characters.' })
  brief!: string;

  @Field(() => CalendarDate, { description: 'The day it is due.', nullable: true })
  dueDate?: string | null;

  @Field(() => Decimal, { description: 'In the currency of the compensation, else USD; above zero.' })
  amount!: string;

  @Field(() => Int, { nullable: true, description: 'Its place among the deliverables; the order given unless told.' })
  sortOrder?: number | null;
}
