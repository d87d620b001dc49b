import {
  EVERY_MEMBER,
  People,
  Reader,
  type ServiceParts,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import { countWaiting, reviewQueue, type WorkKind } from '../queries/review-queue.js';
import { Contract } from './contract-work.js';
import { QueueArguments, WaitingWork, WaitingWorkPage, WorkKindEnum } from './queue-types.js';

@Resolver(() => WaitingWork)
export class QueueResolver {
  constructor(private readonly parts: Pick<ServiceParts, 'em'>) {}

  @Teams(...TERMS_READERS)
  @People(...EVERY_MEMBER)
  @Query(() => WaitingWorkPage, {
    description: 'Work of the whole workspace that waits for a review.',
  })
  reviewQueue(
    @Args(() => QueueArguments) filters: QueueArguments,
    @Arg('ids', () => [ID], { nullable: true, description: 'Only those of these that wait.' })
    ids: string[] | undefined,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<WaitingWork>> {
    return reviewQueue(this.parts.em, actor.workspaceId, { ids: ids ?? null, ...filters });
  }

  @Teams(...TERMS_READERS)
  @People(...EVERY_MEMBER)
  @Query(() => Int, { description: 'How much waits for a review. Counting ends at 100, which stands for "99+".' })
  reviewQueueCount(
    @Arg('kind', () => WorkKindEnum, { nullable: true, description: 'Only timesheets, or only milestones.' })
    kind: WorkKind | undefined,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<number> {
    return countWaiting(this.parts.em, actor.workspaceId, kind);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work is done under.' })
  contract(@Root() work: WaitingWork): Contract {
    return { id: work.contractId };
  }
}
