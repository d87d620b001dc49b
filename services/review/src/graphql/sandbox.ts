import type { Origin } from '@payroll/kernel';
import {
  DAYS_AHEAD,
  IdArg,
  moveCalendarInSandbox,
  MutationCtx,
  VisibleTo,
  type ServiceDependencies,
} from '@payroll/service';
import { Arg, Int, Mutation, Resolver } from 'type-graphql';
import { submitMilestoneInSandbox } from '../commands/review-milestone.js';
import { submitTimesheetInSandbox } from '../commands/submit-timesheet.js';
import { Milestone } from './milestone-types.js';
import { Timesheet, TimesheetInput } from './timesheet-types.js';

/** Lets an admin, or an integration test, submit work as the worker; denied to everyone in a live deployment. */
@Resolver()
export class SandboxResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'commands' | 'deployment'>) {}

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Timesheet, { description: 'In a test deployment: the worker hands in a timesheet.' })
  sandboxSubmitTimesheet(
    @Arg('input', () => TimesheetInput, { description: 'The work to hand in.' }) input: TimesheetInput,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    return this.parts.commands.run(submitTimesheetInSandbox.in(this.parts.deployment), { ...input }, origin);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Milestone, { description: 'In a test deployment: the worker hands in a pending milestone.' })
  sandboxSubmitMilestone(@IdArg('milestone') id: string, @MutationCtx() origin: Origin): Promise<Milestone> {
    return this.parts.commands.run(submitMilestoneInSandbox.in(this.parts.deployment), { id, edge: 'submit' }, origin);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Int, {
    description: 'In a test deployment: what a rule approves by then is approved. Times that are recorded stay real.',
  })
  sandboxMoveReviewCalendar(
    @Arg('daysAhead', () => Int, { description: DAYS_AHEAD }) daysAhead: number,
    @MutationCtx() origin: Origin,
  ): Promise<number> {
    return this.parts.commands.run(moveCalendarInSandbox.in(this.parts.deployment), { daysAhead }, origin);
  }
}
