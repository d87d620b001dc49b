import 'reflect-metadata';
import { Directive, Field, ObjectType } from 'type-graphql';
import { Teams, TERMS_READERS } from './teams.js';

@Teams(...TERMS_READERS)
@Directive('@shareable')
@ObjectType({ description: 'An exact amount in a currency.' })
export class Money {
  @Field(() => String, { description: 'A decimal string; never a float.' })
  amount!: string;

  @Field(() => String, { description: 'ISO 4217, or USDC.' })
  currency!: string;
}
