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
import type { Page } from '@payroll/store';
import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { applyAgreedMilestones } from '../commands/apply-events.js';
import { addMilestone, updateMilestone } from '../commands/plan-milestone.js';
import { approveMilestone, rejectMilestone, submitMilestone } from '../commands/review-milestone.js';
import { listMilestones } from '../queries/work-of-contracts.js';
import { notesOfMilestones, milestones } from '../store/views.js';
import { reviewsOfWork } from '../queries/reviews-of-work.js';
import {
  Milestone,
  MilestoneChangeInput,
  MilestoneInput,
  MilestoneListArguments,
  MilestonePage,
} from './milestone-types.js';
import { Contract, Payment, REVIEW_READERS, ReviewStep } from './work-fields.js';

@Resolver(() => Milestone)
export class MilestoneResolver {
  readonly byId;
  private readonly reviewsOf;
  private readonly notesOf;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'learn'>) {
    this.byId = byKeys(parts.em, milestones);
    this.reviewsOf = reviewsOfWork(parts.em, 'milestone');
    this.notesOf = byKeys(parts.em, notesOfMilestones);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => Milestone, { nullable: true, description: 'One milestone; null when there is none in this workspace.' })
  milestone(@IdArg('milestone') id: string, @ReadCtx() reader: SubgraphContext): Promise<Milestone | null> {
    return loadById(reader, this.byId, id);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => MilestonePage, {
    description:
      'Milestones, newest first; those of one draft by the sortOrder with which they were created, then as sent. Whether there is such a contract, contracts says.',
  })
  milestones(
    @Args(() => MilestoneListArguments) filters: MilestoneListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Milestone>> {
    const { em, learn } = this.parts;
    const fetchAgreed = (aboutId: string, workspaceId: string) =>
      learn({ 'contract.milestones-agreed': applyAgreedMilestones }, { workspaceId, aboutId });
    return listMilestones(em, fetchAgreed, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() milestone: Milestone): Contract {
    return { id: milestone.contractId };
  }

  @FieldResolver(() => Payment, { description: 'What the approval has created; null until then.', nullable: true })
  payment(@Root() milestone: Milestone): Payment | null {
    return milestone.paymentId === null ? null : { id: milestone.paymentId };
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => String, { nullable: true, description: 'The note of the worker who submitted it.' })
  async note(@Root() { id }: Milestone, @ReadCtx() reader: SubgraphContext): Promise<string | null> {
    return (await loadById(reader, this.notesOf, id))?.note ?? null;
  }

  @VisibleTo({ teams: REVIEW_READERS })
  @FieldResolver(() => [ReviewStep], { description: 'Who handed it in and decided, newest first; the newest 50.' })
  async reviews(@Root() milestone: Milestone, @ReadCtx() reader: SubgraphContext): Promise<ReviewStep[]> {
    return (await loadById(reader, this.reviewsOf, milestone.id)) ?? [];
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Milestone, { description: 'Agrees on one more milestone of an active contract.' })
  addMilestone(
    @Arg('input', () => MilestoneInput, { description: 'The milestone to add.' }) input: MilestoneInput,
    @MutationCtx() origin: Origin,
  ): Promise<Milestone> {
    const { description = null, dueDate = null, ...given } = input;
    return this.parts.commands.run(addMilestone, { ...given, description, dueDate }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Milestone, { description: 'Agrees anew on a pending or rejected milestone.' })
  updateMilestone(
    @IdArg('milestone') id: string,
    @Arg('input', () => MilestoneChangeInput, { description: 'What to change: what is not given stays.' })
    input: MilestoneChangeInput,
    @MutationCtx() origin: Origin,
  ): Promise<Milestone> {
    return this.parts.commands.run(updateMilestone, { id, ...input }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Milestone, { description: 'pending → submitted: it is reached, and handed in for review.' })
  submitMilestone(@IdArg('milestone') id: string, @MutationCtx() origin: Origin): Promise<Milestone> {
    return this.parts.commands.run(submitMilestone, { id, edge: 'submit' }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Milestone, { description: 'rejected → submitted' })
  resubmitMilestone(@IdArg('milestone') id: string, @MutationCtx() origin: Origin): Promise<Milestone> {
    return this.parts.commands.run(submitMilestone, { id, edge: 'resubmit' }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Milestone, { description: 'submitted → approved; creates the payment, which is attempted at once.' })
  approveMilestone(
    @IdArg('milestone') id: string,
    @ExpectedVersion() expectedVersion: string,
    @MutationCtx() origin: Origin,
  ): Promise<Milestone> {
    return this.parts.commands.run(approveMilestone, { id, expectedVersion }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Milestone, { description: 'submitted → rejected, with the reason.' })
  rejectMilestone(
    @IdArg('milestone') id: string,
    @ExpectedVersion() expectedVersion: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters after trimming.' }) reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Milestone> {
    return this.parts.commands.run(rejectMilestone, { id, expectedVersion, reason }, origin);
  }
}
