import 'reflect-metadata';
import type { CreatorFormat, CreatorPlatform, Exclusivity, IpOwnership } from '@payroll/kernel';
import { CalendarDate, Money, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as domain from '../domain/creator.js';
import { CreatorFormatEnum, CreatorPlatformEnum, ExclusivityEnum, IpOwnershipEnum } from './enums.js';

@Teams(...TERMS_READERS)
@ObjectType({ description: 'The terms of a creator contract.' })
export class CreatorTerms implements domain.CreatorTerms {
  @Field(() => ExclusivityEnum, { description: 'Whether the creator works for others, too.' })
  exclusivity!: Exclusivity;

  @Field(() => CalendarDate, { description: 'The last day of a fixed term; null otherwise.', nullable: true })
  exclusivityEndDate!: string | null;

  @Field(() => IpOwnershipEnum, { description: 'Who owns what is made.' })
  ipOwnership!: IpOwnership;

  @Field(() => String, { description: 'How it may be used, in words; null when nothing was written.', nullable: true })
  usageNote!: string | null;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'A piece of content that a creator delivers.' })
export class CreatorDeliverable implements domain.CreatorDeliverable {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => CreatorPlatformEnum, { description: 'Where it is published.' })
  platform!: CreatorPlatform;

  @Field(() => CreatorFormatEnum, { description: 'What it is.' })
  format!: CreatorFormat;

  @Field(() => String, { description: 'What it has to show, 1–2000 characters.' })
  brief!: string;

  @Field(() => CalendarDate, { description: 'The day it is due; null for none.', nullable: true })
  dueDate!: string | null;

  @Field(() => Money, { description: 'What it pays.' })
  amount!: Money;

  @Field(() => Int, { description: 'Its place among the deliverables, from 0.' })
  sortOrder!: number;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'What a creator and the business agree on.' })
export class Creator implements domain.Creator {
  @Field(() => CreatorTerms, { description: 'Null while none are agreed.', nullable: true })
  terms!: CreatorTerms | null;

  @Field(() => [CreatorDeliverable], { description: 'What the creator delivers, by sortOrder, then as sent.' })
  deliverables!: CreatorDeliverable[];
}
