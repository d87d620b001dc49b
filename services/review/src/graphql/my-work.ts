import {
  type MilestoneStatus,
  requireFound,
  type PaymentStatus,
  requireWorker,
  systemOrigin,
  type TimesheetStatus,
  type Origin,
} from '@payroll/kernel';
import {
  CalendarDate,
  ExpectedVersion,
  field,
  IdArg,
  type Money,
  NULLABLE,
  MutationCtx,
  VisibleTo,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import { Arg, Ctx, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import {
  correctOwnTimesheet,
  keepWorker,
  saveTimesheetDraft,
  submitOwnMilestone,
  submitOwnTimesheet,
} from '../commands/own-work.js';
import type { Entry, Side } from '../domain/own-work.js';
import {
  agreedWork,
  askWork,
  lacksWorker,
  myDraft,
  myDrafts,
  myMilestones,
  myTimesheets,
  previewWork,
  termsOfWork,
} from '../queries/own-work.js';
import { ContractId, EnteredWorkInput, toWorkTerms, Work, WorkPreview, WorkTerms } from './entered-work.js';
import { MilestoneStatusEnum } from './milestone-types.js';
import { PaymentStatusEnum, TimesheetEntry, TimesheetStatusEnum } from './timesheet-types.js';

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'Work of a period under a contract of the worker who asks.' })
class MyTimesheet {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that the work was done under.') contractId!: string;
  @field.of(() => TimesheetStatusEnum, 'Where it is in its review.') status!: TimesheetStatus;
  @field.day('The first day of the work.') periodStart!: string;
  @field.day('The last day of the work.') periodEnd!: string;
  @field.decimal('Hours, days or pieces, as the rate is counted.') unitsWorked!: string;
  @field.of(() => [TimesheetEntry], 'By day; null where it was entered as one number.', NULLABLE) entries!:
    | Entry[]
    | null;
  @field.money('Per unit worked.') rate!: Money;
  @field.money('Rate × units, rounded half-even to the currency.') total!: Money;
  @field.day('The day on which the payment is due once it is approved.') paymentScheduledDate!: string;
  @field.text('Why it was rejected; null unless it is.', NULLABLE) rejectionReason!: string | null;
  @field.of(() => PaymentStatusEnum, 'The state of its payment; null before the approval.', NULLABLE)
  paymentStatus!: PaymentStatus | null;
  @field.time('When it was submitted, the last time.') submittedAt!: string;
  @field.text('The side that submitted it: worker, client, or null for the application.', NULLABLE)
  submittedBy!: Side | null;
  @field.text('Identifies all of its content; given back with a correction.') version!: string;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'A milestone of a contract of the worker who asks.' })
class MyMilestone {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that it is a part of.') contractId!: string;
  @field.text('Its title.') title!: string;
  @field.text('What is to be done.', NULLABLE) description!: string | null;
  @field.of(() => MilestoneStatusEnum, 'Where it is between plan and payment.') status!: MilestoneStatus;
  @field.money('The amount that its approval pays.') amount!: Money;
  @field.day('When it is agreed to be done.', NULLABLE) dueDate!: string | null;
  @field.text('What I said of it when I submitted it.', NULLABLE) note!: string | null;
  @field.text('Why it was rejected; null unless it is.', NULLABLE) rejectionReason!: string | null;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'A timesheet that the worker who asks has begun to fill in.' })
class TimesheetDraft {
  @field.text('What I typed, as JSON: an object of texts.') fields!: string;
  @field.text('Identifies what I typed; given back when the draft is replaced or submitted.') version!: string;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'Work of the worker who asks.' })
class WorkOfPayments {
  @field.of(() => [MyTimesheet], 'Those of the timesheets that are mine.') timesheets!: MyTimesheet[];
  @field.of(() => [MyMilestone], 'Those of the milestones that are mine.') milestones!: MyMilestone[];
}

const FIRST_DAY = { description: 'The first day of its period.' };

/** A worker's own work: the statements take workspace and worker from the token. */
@Resolver()
export class MyWorkResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'bus' | 'deployment'>) {}

  @VisibleTo({ people: ['worker'] })
  @Query(() => [MyTimesheet], { description: 'My timesheets under a contract, newest first; 60 in a page.' })
  async myTimesheets(
    @ContractId contractId: string,
    @Arg('after', () => ID, { ...NULLABLE, description: 'The last timesheet of the page before.' })
    after: string | null = null,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<MyTimesheet[]> {
    const worker = requireWorker(origin.actor);
    await this.learnWorker(worker.workspaceId, contractId);
    return await myTimesheets(this.parts.em, worker, { contractId, after });
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyTimesheet, { nullable: true, description: 'One of my timesheets.' })
  async myTimesheet(@IdArg('timesheet') id: string, @Ctx() { origin }: SubgraphContext): Promise<MyTimesheet | null> {
    const [timesheet] = await myTimesheets(this.parts.em, requireWorker(origin.actor), { ids: [id] });
    return timesheet ?? null;
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => [MyMilestone], { description: 'My milestones under a contract, in their order.' })
  async myMilestones(@ContractId contractId: string, @Ctx() { origin }: SubgraphContext): Promise<MyMilestone[]> {
    const worker = requireWorker(origin.actor);
    await this.learnWorker(worker.workspaceId, contractId);
    return await myMilestones(this.parts.em, worker, { contractId });
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyMilestone, { nullable: true, description: 'One of my milestones.' })
  async myMilestone(@IdArg('milestone') id: string, @Ctx() { origin }: SubgraphContext): Promise<MyMilestone | null> {
    const [milestone] = await myMilestones(this.parts.em, requireWorker(origin.actor), { ids: [id] });
    return milestone ?? null;
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => WorkOfPayments, { description: 'My work by its ids, as my payments name it; at most 100 of each.' })
  async myWork(
    @Arg('timesheets', () => [ID], { description: 'Ids of timesheets.' }) timesheets: string[],
    @Arg('milestones', () => [ID], { description: 'Ids of milestones.' }) milestones: string[],
    @Ctx() { origin }: SubgraphContext,
  ): Promise<WorkOfPayments> {
    const worker = requireWorker(origin.actor);
    const few = (ids: string[]) => ({ ids: ids.slice(0, 100) });
    return {
      timesheets: await myTimesheets(this.parts.em, worker, few(timesheets)),
      milestones: await myMilestones(this.parts.em, worker, few(milestones)),
    };
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => WorkTerms, { nullable: true, description: 'How I submit work under a contract.' })
  async myWorkTerms(@ContractId contractId: string, @Ctx() { origin }: SubgraphContext): Promise<WorkTerms | null> {
    const worker = requireWorker(origin.actor);
    await this.learnWorker(worker.workspaceId, contractId);
    const terms = await termsOfWork(this.parts.em, worker.workspaceId, contractId, worker.workerId);
    if (terms === null) return null;
    return toWorkTerms('worker', terms, await agreedWork(this.parts, worker.workspaceId, contractId));
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => WorkPreview, { description: 'Work that I would submit; refused as its submission would be.' })
  async myWorkPreview(
    @ContractId contractId: string,
    @Work input: EnteredWorkInput,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<WorkPreview> {
    const { workspaceId, workerId } = requireWorker(origin.actor);
    await this.learnWorker(workspaceId, contractId);
    return await previewWork(this.parts, { side: 'worker', workspaceId, workerId, contractId }, input);
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => TimesheetDraft, { nullable: true, description: 'What I typed and kept for a period.' })
  async myTimesheetDraft(
    @ContractId contractId: string,
    @Arg('firstDay', () => String, FIRST_DAY) firstDay: string,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<TimesheetDraft | null> {
    return await myDraft(this.parts.em, requireWorker(origin.actor), { contractId, firstDay });
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => [CalendarDate], { description: 'The first days of the periods that I kept a draft for, newest first.' })
  async myTimesheetDrafts(@ContractId contractId: string, @Ctx() { origin }: SubgraphContext): Promise<string[]> {
    return await myDrafts(this.parts.em, requireWorker(origin.actor), contractId);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => Boolean, { description: 'Keeps what I typed for a period, until I submit it.' })
  async saveMyTimesheetDraft(
    @ContractId contractId: string,
    @Arg('firstDay', () => String, FIRST_DAY) firstDay: string,
    @Arg('fields', () => String, { description: 'As JSON: an object of texts.' }) fields: string,
    @Arg('expectedVersion', () => String, {
      ...NULLABLE,
      description: 'The draft that this replaces; another one is refused as stale.',
    })
    expectedVersion: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<boolean> {
    const draft = { contractId, firstDay, fields, expectedVersion };
    await this.parts.commands.run(saveTimesheetDraft, draft, origin);
    return true;
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyTimesheet, { description: 'I submit work for review.' })
  async submitMyTimesheet(
    @ContractId contractId: string,
    @Work input: EnteredWorkInput,
    @Arg('draftOf', () => String, { ...NULLABLE, description: 'The first day of the draft that it replaces.' })
    draftOf: string | null = null,
    @Arg('draftVersion', () => String, { ...NULLABLE, description: 'Its version; another one is kept.' })
    draftVersion: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<MyTimesheet> {
    const worker = requireWorker(origin.actor);
    await this.learnWorker(worker.workspaceId, contractId);
    const agreed = await agreedWork(this.parts, worker.workspaceId, contractId);
    const { id } = await this.parts.commands.run(
      submitOwnTimesheet(agreed),
      { contractId, draftOf, draftVersion, ...input },
      origin,
    );
    return await this.timesheet(origin, id);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyTimesheet, { description: 'I correct work that waits for review or was rejected.' })
  async correctMyTimesheet(
    @IdArg('timesheet') id: string,
    @ExpectedVersion() expectedVersion: string,
    @Arg('input', () => EnteredWorkInput, { description: 'The work as it is now.' }) input: EnteredWorkInput,
    @MutationCtx() origin: Origin,
  ): Promise<MyTimesheet> {
    const { contractId } = await this.timesheet(origin, id);
    const agreed = await agreedWork(this.parts, origin.actor.workspaceId, contractId);
    const command = correctOwnTimesheet(agreed);
    await this.parts.commands.run(command, { id, expectedVersion, ...input }, origin);
    return await this.timesheet(origin, id);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyMilestone, { description: 'I submit a planned or rejected milestone for review.' })
  async submitMyMilestone(
    @IdArg('milestone') id: string,
    @Arg('note', () => String, { ...NULLABLE, description: 'What the reviewer should know; at most 2000 characters.' })
    note: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<MyMilestone> {
    await this.parts.commands.run(submitOwnMilestone, { id, note }, origin);
    const [milestone] = await myMilestones(this.parts.em, requireWorker(origin.actor), { ids: [id] });
    return milestone!;
  }

  /** @throws DomainError `NOT_FOUND` */
  private async timesheet({ actor }: Origin, id: string): Promise<MyTimesheet> {
    const [timesheet] = await myTimesheets(this.parts.em, requireWorker(actor), { ids: [id] });
    return requireFound(timesheet, 'The timesheet');
  }

  /** Asks contracts for the worker of a contract that was published before review kept workers. */
  private async learnWorker(workspaceId: string, contractId: string): Promise<void> {
    if (!(await lacksWorker(this.parts.em, workspaceId, contractId))) return;
    const workerId = (await askWork(this.parts, workspaceId, contractId))?.workerId;
    if (!workerId) return;
    const origin = systemOrigin(workspaceId, 'runner', `worker-of-${contractId}`);
    await this.parts.commands.run(keepWorker, { contractId, workerId }, origin);
  }
}
