import {
  byKeys,
  EVERY_MEMBER,
  EVERYBODY,
  ExpectedVersion,
  IdOf,
  loadById,
  type Operation,
  OperationOf,
  People,
  Reader,
  type ServiceParts,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { applyAgreedMilestones } from '../commands/apply-events.js';
import { addMilestone, updateMilestone } from '../commands/plan-milestone.js';
import { approveMilestone, rejectMilestone, submitMilestone } from '../commands/review-milestone.js';
import { milestonesOfContract } from '../queries/work-of-contracts.js';
import { notesOfMilestones } from '../queries/entered-work.js';
import { reviewsOfWork } from '../queries/reviews-of-work.js';
import { milestones } from '../store/milestones.js';
import {
  Milestone,
  MilestoneChangeInput,
  MilestoneInput,
  MilestoneListArguments,
  MilestonePage,
} from './milestone-types.js';
import { Contract, Payment } from './contract-work.js';
import { REVIEW_READERS, ReviewStep } from './review-steps.js';

@Resolver(() => Milestone)
export class MilestoneResolver {
  readonly byId;
  private readonly reviewsOf;
  private readonly notesOf;

  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands' | 'learn'>) {
    this.byId = byKeys(parts.em, milestones);
    this.reviewsOf = reviewsOfWork(parts.em, 'milestone');
    this.notesOf = notesOfMilestones(parts.em);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => Milestone, { nullable: true, description: 'One milestone; null when there is none in this workspace.' })
  milestone(@IdOf('milestone') id: string, @Reader() reader: SubgraphContext): Promise<Milestone | null> {
    return loadById(reader, this.byId, id);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => MilestonePage, {
    description:
      'Milestones of a contract, newest first; those of one draft by sortOrder, then as sent. Whether there is such a contract, contracts says.',
  })
  milestones(
    @Args(() => MilestoneListArguments) filters: MilestoneListArguments,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Milestone>> {
    const { em, learn } = this.parts;
    const fetchAgreed = (aboutId: string, workspaceId: string) =>
      learn({ 'contract.milestones-agreed': applyAgreedMilestones }, { workspaceId, aboutId });
    return milestonesOfContract(em, fetchAgreed, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() milestone: Milestone): Contract {
    return { id: milestone.contractId };
  }

  @FieldResolver(() => Payment, { description: 'What the approval has created; null until then.', nullable: true })
  payment(@Root() milestone: Milestone): Payment | null {
    return milestone.paymentId === null ? null : { id: milestone.paymentId };
  }

  @Teams(...TERMS_READERS)
  @FieldResolver(() => String, { nullable: true, description: 'The note of the worker who submitted it.' })
  async note(@Root() { id }: Milestone, @Reader() reader: SubgraphContext): Promise<string | null> {
    return (await loadById(reader, this.notesOf, id))?.note ?? null;
  }

  @Teams(...REVIEW_READERS)
  @FieldResolver(() => [ReviewStep], { description: 'Who handed it in and decided, newest first; the newest 50.' })
  async reviews(@Root() milestone: Milestone, @Reader() reader: SubgraphContext): Promise<ReviewStep[]> {
    return (await loadById(reader, this.reviewsOf, milestone.id)) ?? [];
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'Agrees on one more milestone of an active contract.' })
  addMilestone(
    @Arg('input', () => MilestoneInput, { description: 'The milestone to add.' }) input: MilestoneInput,
    @OperationOf() by: Operation,
  ): Promise<Milestone> {
    const { description = null, dueDate = null, ...given } = input;
    return this.parts.commands.run(addMilestone, { ...given, description, dueDate }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'Agrees anew on a pending or rejected milestone.' })
  updateMilestone(
    @IdOf('milestone') id: string,
    @Arg('input', () => MilestoneChangeInput, { description: 'What to change: what is not given stays.' })
    input: MilestoneChangeInput,
    @OperationOf() by: Operation,
  ): Promise<Milestone> {
    return this.parts.commands.run(updateMilestone, { id, ...input }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'pending → submitted: it is reached, and handed in for review.' })
  submitMilestone(@IdOf('milestone') id: string, @OperationOf() by: Operation): Promise<Milestone> {
    return this.parts.commands.run(submitMilestone, { id, edge: 'submit' }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'rejected → submitted' })
  resubmitMilestone(@IdOf('milestone') id: string, @OperationOf() by: Operation): Promise<Milestone> {
    return this.parts.commands.run(submitMilestone, { id, edge: 'resubmit' }, by.origin, by.operationId);
  }

  @Teams('service')
  @Mutation(() => Milestone, { description: 'submitted → approved; creates the payment, which is attempted at once.' })
  approveMilestone(
    @IdOf('milestone') id: string,
    @ExpectedVersion() expectedVersion: string,
    @OperationOf() by: Operation,
  ): Promise<Milestone> {
    return this.parts.commands.run(approveMilestone, { id, expectedVersion }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'submitted → rejected, with the reason.' })
  rejectMilestone(
    @IdOf('milestone') id: string,
    @ExpectedVersion() expectedVersion: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters after trimming.' }) reason: string,
    @OperationOf() by: Operation,
  ): Promise<Milestone> {
    return this.parts.commands.run(rejectMilestone, { id, expectedVersion, reason }, by.origin, by.operationId);
  }
}
