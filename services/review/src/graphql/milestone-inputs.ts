import 'reflect-metadata';
import { CalendarDate, Decimal } from '@payroll/subgraph';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { ChangedDetails } from '../domain/milestone-details.js';

@InputType({ description: 'A milestone to be agreed on, in the currency of its contract.' })
export class MilestoneInput {
  @Field(() => ID)
  contractId!: string;

  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'At most 10000 characters.' })
  description?: string | null;

  @Field(() => Decimal, { description: 'Above zero.' })
  amount!: string;

  @Field(() => CalendarDate, { nullable: true })
  dueDate?: string | null;

  @Field(() => Int, { defaultValue: 0, description: 'Its place among the milestones of the contract.' })
  sortOrder!: number;
}

@InputType({ description: 'What changes; what is not given stays, and null clears description and dueDate.' })
export class MilestoneChangeInput implements ChangedDetails {
  @Field(() => String, { nullable: true, description: '1–200 characters.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'At most 10000 characters.' })
  description?: string | null;

  @Field(() => Decimal, { nullable: true, description: 'Above zero.' })
  amount?: string | null;

  @Field(() => CalendarDate, { nullable: true })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true })
  sortOrder?: number | null;
}
