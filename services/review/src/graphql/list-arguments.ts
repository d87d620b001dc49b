import 'reflect-metadata';
import type { MilestoneStatus, TimesheetStatus } from '@payroll/kernel';
import { Timestamp } from '@payroll/subgraph';
import { ArgsType, Field, ID, Int } from 'type-graphql';
import { MilestoneStatusEnum } from './milestone-types.js';
import { TimesheetStatusEnum } from './types.js';

@ArgsType()
export class TimesheetListArguments {
  @Field(() => TimesheetStatusEnum, { description: 'Only timesheets in this status.', nullable: true })
  status?: TimesheetStatus | null;

  @Field(() => ID, { description: 'Only work under this contract.', nullable: true })
  contractId?: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'Inclusive; turns the order to oldest change first.' })
  updatedSince?: string | null;

  @Field(() => Int, { defaultValue: 50, description: '1–100.' })
  limit!: number;

  @Field(() => String, { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' })
  cursor?: string | null;
}

@ArgsType()
export class MilestoneListArguments {
  @Field(() => ID, { description: 'The contract whose milestones are listed.' })
  contractId!: string;

  @Field(() => MilestoneStatusEnum, { description: 'Only milestones in this status.', nullable: true })
  status?: MilestoneStatus | null;

  @Field(() => Int, { defaultValue: 50, description: '1–100.' })
  limit!: number;

  @Field(() => String, { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' })
  cursor?: string | null;
}
