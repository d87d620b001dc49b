import 'reflect-metadata';
import { CalendarDate, Decimal } from '@payroll/subgraph';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { ChangedDetails } from '../domain/milestone-details.js';

@InputType({ description: 'A milestone to be agreed on, in the currency of its contract.' })
export class MilestoneInput {
  @Field(() => ID, { description: 'A contract that is not over.' })
  contractId!: string;

  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'At most 10000 characters.' })
  description?: string | null;

  @Field(() => Decimal, { description: 'Above zero.' })
  amount!: string;

  @Field(() => CalendarDate, { description: 'The day it is due; null for none.', nullable: true })
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

  @Field(() => CalendarDate, { description: 'The day it is due; null clears it.', nullable: true })
  dueDate?: string | null;

  @Field(() => Int, { description: 'Its place among the milestones of the contract, from 0.', nullable: true })
  sortOrder?: number | null;
}
