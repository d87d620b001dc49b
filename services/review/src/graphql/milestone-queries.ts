import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/milestone.js';
import { milestonesOfContract, type FetchAgreed } from '../queries/milestones-of-contract.js';
import { MilestoneListArguments } from './list-arguments.js';
import { Milestone, MilestonePage } from './milestone-types.js';
import { Contract, Payment } from './types.js';

@Resolver(() => Milestone)
export class MilestoneQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Milestone>,
    private readonly fetchAgreed: FetchAgreed,
  ) {}

  @Teams(...EVERYBODY)
  @Query(() => Milestone, { nullable: true, description: 'One milestone; null when there is none in this workspace.' })
  async milestone(
    @Arg('id', () => ID, { description: 'The id of the milestone.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Milestone | null> {
    requireScope(context.origin.actor, 'read');
    return await loadById(context, this.byId, id);
  }

  @Teams(...EVERYBODY)
  @Query(() => MilestonePage, {
    description:
      'Milestones of a contract, newest first; those of one draft by sortOrder, then as sent. Whether there is such a contract, contracts says.',
  })
  async milestones(
    @Args(() => MilestoneListArguments) filters: MilestoneListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Milestone>> {
    requireScope(actor, 'read');
    return await milestonesOfContract(this.em, this.fetchAgreed, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() milestone: domain.Milestone): Contract {
    return { id: milestone.contractId };
  }

  @FieldResolver(() => Payment, { description: 'What the approval has created; null until then.', nullable: true })
  payment(@Root() milestone: domain.Milestone): Payment | null {
    return milestone.paymentId === null ? null : { id: milestone.paymentId };
  }
}
