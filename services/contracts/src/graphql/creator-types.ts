import 'reflect-metadata';
import type { CreatorFormat, CreatorPlatform, Exclusivity, IpOwnership } from '@payroll/kernel';
import { CalendarDate, Money, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as domain from '../domain/creator.js';
import { CreatorFormatEnum, CreatorPlatformEnum, ExclusivityEnum, IpOwnershipEnum } from './enums.js';

@Teams(...TERMS_READERS)
@ObjectType({ description: 'The terms of a creator contract.' })
export class CreatorTerms implements domain.CreatorTerms {
  @Field(() => ExclusivityEnum)
  exclusivity!: Exclusivity;

  @Field(() => CalendarDate, { nullable: true })
  exclusivityEndDate!: string | null;

  @Field(() => IpOwnershipEnum)
  ipOwnership!: IpOwnership;

  @Field(() => String, { nullable: true })
  usageNote!: string | null;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'A piece of content that a creator delivers.' })
export class CreatorDeliverable implements domain.CreatorDeliverable {
  @Field(() => ID)
  id!: string;

  @Field(() => CreatorPlatformEnum)
  platform!: CreatorPlatform;

  @Field(() => CreatorFormatEnum)
  format!: CreatorFormat;

  @Field(() => String)
  brief!: string;

  @Field(() => CalendarDate, { nullable: true })
  dueDate!: string | null;

  @Field(() => Money)
  amount!: Money;

  @Field(() => Int)
  sortOrder!: number;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'What a creator and the business agree on.' })
export class Creator implements domain.Creator {
  @Field(() => CreatorTerms, { nullable: true })
  terms!: CreatorTerms | null;

  @Field(() => [CreatorDeliverable])
  deliverables!: CreatorDeliverable[];
}
