import { ROLES, TEAMS, type Origin } from '@payroll/kernel';
import {
  byKeys,
  ExpectedVersion,
  IdArg,
  loadById,
  MutationCtx,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import { list, type Page } from '@payroll/store';
import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { approveTimesheet, rejectTimesheet } from '../commands/review-timesheet.js';
import { resubmitTimesheet, submitTimesheet } from '../commands/submit-timesheet.js';
import { enteredTimesheets, timesheets } from '../store/views.js';
import { reviewsOfWork } from '../queries/reviews-of-work.js';
import { Contract, Payment, REVIEW_READERS, ReviewStep } from './work-fields.js';
import {
  CorrectedWorkInput,
  Timesheet,
  TimesheetEntry,
  TimesheetInput,
  TimesheetListArguments,
  TimesheetPage,
} from './timesheet-types.js';

@Resolver(() => Timesheet)
export class TimesheetResolver {
  readonly byId;
  private readonly reviewsOf;
  private readonly enteredAs;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {
    this.byId = byKeys(parts.em, timesheets);
    this.reviewsOf = reviewsOfWork(parts.em, 'timesheet');
    this.enteredAs = byKeys(parts.em, enteredTimesheets);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => Timesheet, { nullable: true, description: 'One timesheet; null when there is none in this workspace.' })
  timesheet(@IdArg('timesheet') id: string, @ReadCtx() reader: SubgraphContext): Promise<Timesheet | null> {
    return loadById(reader, this.byId, id);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => TimesheetPage, { description: 'Timesheets, newest first; with updatedSince, oldest change first.' })
  timesheets(
    @Args(() => TimesheetListArguments) { status, contractId, ...page }: TimesheetListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Timesheet>> {
    const { workspaceId } = actor;
    return list(this.parts.em, timesheets, { workspaceId, where: { status, contractId }, ...page });
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() timesheet: Timesheet): Contract {
    return { id: timesheet.contractId };
  }

  @FieldResolver(() => Payment, { description: 'What the approval has created; null until then.', nullable: true })
  payment(@Root() timesheet: Timesheet): Payment | null {
    return timesheet.paymentId === null ? null : { id: timesheet.paymentId };
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => [TimesheetEntry], { nullable: true, description: 'The work by day, where it was entered so.' })
  async entries(@Root() { id }: Timesheet, @ReadCtx() reader: SubgraphContext): Promise<TimesheetEntry[] | null> {
    return (await loadById(reader, this.enteredAs, id))?.entries ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The side of the contract that submitted it: worker, client, or null for the application.',
  })
  async submittedBy(@Root() { id }: Timesheet, @ReadCtx() reader: SubgraphContext): Promise<string | null> {
    return (await loadById(reader, this.enteredAs, id))?.submittedBy ?? null;
  }

  @VisibleTo({ teams: REVIEW_READERS })
  @FieldResolver(() => [ReviewStep], { description: 'Who handed it in and decided, newest first; the newest 50.' })
  async reviews(@Root() timesheet: Timesheet, @ReadCtx() reader: SubgraphContext): Promise<ReviewStep[]> {
    return (await loadById(reader, this.reviewsOf, timesheet.id)) ?? [];
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Timesheet, {
    description:
      'Hands work in for review. Its period shares no day with other work under the contract, rejected work aside. ' +
      'Where the contract asks for no approval, it is approved within moments, by the system.',
  })
  submitTimesheet(
    @Arg('input', () => TimesheetInput, { description: 'The work to hand in.' }) input: TimesheetInput,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    return this.parts.commands.run(submitTimesheet, { ...input }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Timesheet, { description: 'rejected → submitted, reckoned by the terms of now.' })
  resubmitTimesheet(
    @IdArg('timesheet') id: string,
    @Arg('input', () => CorrectedWorkInput, {
      description: 'What was corrected: what is not given stays.',
      nullable: true,
    })
    input: CorrectedWorkInput | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    return this.parts.commands.run(resubmitTimesheet, { id, ...input }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Timesheet, { description: 'submitted → approved; creates the payment. Paying comes later.' })
  approveTimesheet(
    @IdArg('timesheet') id: string,
    @ExpectedVersion() expectedVersion: string,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    return this.parts.commands.run(approveTimesheet, { id, expectedVersion }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Timesheet, { description: 'submitted → rejected, with the reason.' })
  rejectTimesheet(
    @IdArg('timesheet') id: string,
    @ExpectedVersion() expectedVersion: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters after trimming.' }) reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    return this.parts.commands.run(rejectTimesheet, { id, expectedVersion, reason }, origin);
  }
}
