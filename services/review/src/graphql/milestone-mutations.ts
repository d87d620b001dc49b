import 'reflect-metadata';
import type { Command, CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { addMilestone } from '../commands/add-milestone.js';
import { approveMilestone } from '../commands/approve-milestone.js';
import { rejectMilestone } from '../commands/reject-milestone.js';
import { submitMilestone } from '../commands/submit-milestone.js';
import { updateMilestone } from '../commands/update-milestone.js';
import type * as domain from '../domain/milestone.js';
import { MilestoneChangeInput, MilestoneInput } from './milestone-inputs.js';
import { Milestone } from './milestone-types.js';

type Id = string | undefined;

@Resolver()
export class MilestoneMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'Agrees on one more milestone of an active contract.' })
  addMilestone(
    @Arg('input', () => MilestoneInput, { description: 'The milestone to add.' }) {
      description,
      dueDate,
      ...given
    }: MilestoneInput,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    const input = { ...given, description: description ?? null, dueDate: dueDate ?? null };
    return this.run(addMilestone, input, operationId, context);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'Agrees anew on a pending or rejected milestone.' })
  updateMilestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Arg('input', () => MilestoneChangeInput, { description: 'What to change: what is not given stays.' })
    input: MilestoneChangeInput,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    return this.run(updateMilestone, { id, ...input }, operationId, context);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'pending → submitted: it is reached, and handed in for review.' })
  submitMilestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    return this.run(submitMilestone, { id, edge: 'submit' }, operationId, context);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'rejected → submitted' })
  resubmitMilestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    return this.run(submitMilestone, { id, edge: 'resubmit' }, operationId, context);
  }

  @Teams('service')
  @Mutation(() => Milestone, { description: 'submitted → approved; creates the payment, which is attempted at once.' })
  approveMilestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Arg('expectedVersion', () => String, {
      description: 'The version that was reviewed; another one is refused as stale.',
    })
    expectedVersion: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    return this.run(approveMilestone, { id, expectedVersion }, operationId, context);
  }

  @Teams('service', 'operations')
  @Mutation(() => Milestone, { description: 'submitted → rejected, with the reason.' })
  rejectMilestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Arg('expectedVersion', () => String, {
      description: 'The version that was reviewed; another one is refused as stale.',
    })
    expectedVersion: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters after trimming.' }) reason: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone> {
    return this.run(rejectMilestone, { id, expectedVersion, reason }, operationId, context);
  }

  private run<Input, Result>(
    command: Command<Input, Result>,
    input: Input,
    operationId: Id,
    { origin }: SubgraphContext,
  ): Promise<Result> {
    return this.commands.run(command, input, origin, operationId);
  }
}
