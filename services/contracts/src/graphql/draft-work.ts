import 'reflect-metadata';
import { CalendarDate, Decimal } from '@payroll/subgraph';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { CreatorTerms, DraftDeliverable, DraftMilestone } from '../domain/contract-draft.js';
import type { CreatorFormat, CreatorPlatform, Exclusivity, IpOwnership } from '../domain/draft-words.js';
import { CreatorFormatEnum, CreatorPlatformEnum, ExclusivityEnum, IpOwnershipEnum } from './enums.js';

@InputType({ description: 'A milestone agreed with the draft.' })
export class MilestoneInput implements DraftMilestone {
  @Field(() => String)
  title!: string;

  @Field(() => String, { nullable: true })
  description?: string | null;

  @Field(() => Decimal)
  amount!: string;

  @Field(() => CalendarDate, { nullable: true })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true })
  sortOrder?: number | null;

  @Field(() => [ID], { nullable: true })
  documentIds?: string[] | null;
}

@InputType({ description: 'What a creator and the business agree on.' })
export class CreatorTermsInput implements CreatorTerms {
  @Field(() => ExclusivityEnum)
  exclusivity!: Exclusivity;

  @Field(() => CalendarDate, { nullable: true })
  exclusivityEndDate?: string | null;

  @Field(() => IpOwnershipEnum)
  ipOwnership!: IpOwnership;

  @Field(() => String, { nullable: true })
  usageNote?: string | null;
}

@InputType({ description: 'A piece of content a creator delivers.' })
export class CreatorDeliverableInput implements DraftDeliverable {
  @Field(() => CreatorPlatformEnum)
  platform!: CreatorPlatform;

  @Field(() => CreatorFormatEnum)
  format!: CreatorFormat;

  @Field(() => String)
  brief!: string;

  @Field(() => CalendarDate, { nullable: true })
  dueDate?: string | null;

  @Field(() => Decimal)
  amount!: string;

  @Field(() => Int, { nullable: true })
  sortOrder?: number | null;
}
