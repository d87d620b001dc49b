import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { CalendarDate, Decimal, OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { approveTimesheet } from '../commands/approve-timesheet.js';
import { rejectTimesheet } from '../commands/reject-timesheet.js';
import { resubmitTimesheet } from '../commands/resubmit-timesheet.js';
import { submitTimesheet, type SubmitTimesheet } from '../commands/submit-timesheet.js';
import type { CorrectedWork } from '../domain/period.js';
import type * as domain from '../domain/timesheet.js';
import { Timesheet } from './types.js';

@InputType({ description: 'Work of a period under a contract.' })
export class TimesheetInput implements SubmitTimesheet {
  @Field(() => ID, { description: 'An active contract with a rate, or one that is being wound up.' })
  contractId!: string;

  @Field(() => CalendarDate, { description: 'The first day of the work.' })
  periodStart!: string;

  @Field(() => CalendarDate, { description: 'The last day of the work; not before the first.' })
  periodEnd!: string;

  @Field(() => Decimal, { description: 'Hours, days or pieces, as the rate is per.' })
  unitsWorked!: string;
}

@InputType({ description: 'What is corrected about rejected work; what is not given stays as it was.' })
export class CorrectedWorkInput implements CorrectedWork {
  @Field(() => CalendarDate, { description: 'The first day of the work.', nullable: true })
  periodStart?: string | null;

  @Field(() => CalendarDate, { description: 'The last day of the work; not before the first.', nullable: true })
  periodEnd?: string | null;

  @Field(() => Decimal, { description: 'Above zero; a decimal string.', nullable: true })
  unitsWorked?: string | null;
}

@Resolver()
export class TimesheetMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Timesheet, {
    description:
      'Hands work in for review. Its period shares no day with other work under the contract, rejected work aside. ' +
      'Where the contract asks for no approval, it is approved within moments, by the system.',
  })
  submitTimesheet(
    @Arg('input', () => TimesheetInput, { description: 'The work to hand in.' }) input: TimesheetInput,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Timesheet> {
    return this.commands.run(submitTimesheet, { ...input }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Timesheet, { description: 'rejected → submitted, reckoned by the terms of now.' })
  resubmitTimesheet(
    @Arg('id', () => ID, { description: 'The id of the timesheet.' }) id: string,
    @Arg('input', () => CorrectedWorkInput, {
      description: 'What was corrected: what is not given stays.',
      nullable: true,
    })
    input: CorrectedWorkInput | undefined,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Timesheet> {
    return this.commands.run(resubmitTimesheet, { id, ...input }, origin, operationId);
  }

  @Teams('service')
  @Mutation(() => Timesheet, { description: 'submitted → approved; creates the payment. Paying comes later.' })
  approveTimesheet(
    @Arg('id', () => ID, { description: 'The id of the timesheet.' }) id: string,
    @Arg('expectedVersion', () => String, {
      description: 'The version that was reviewed; another one is refused as stale.',
    })
    expectedVersion: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Timesheet> {
    return this.commands.run(approveTimesheet, { id, expectedVersion }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Timesheet, { description: 'submitted → rejected, with the reason.' })
  rejectTimesheet(
    @Arg('id', () => ID, { description: 'The id of the timesheet.' }) id: string,
    @Arg('expectedVersion', () => String, {
      description: 'The version that was reviewed; another one is refused as stale.',
    })
    expectedVersion: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters after trimming.' }) reason: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Timesheet> {
    return this.commands.run(rejectTimesheet, { id, expectedVersion, reason }, origin, operationId);
  }
}
