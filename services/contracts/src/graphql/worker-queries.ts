import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Page } from '@payroll/store';
import { type Fetch, loadById, PERSONS_READERS, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import type * as domain from '../domain/worker.js';
import { listWorkers } from '../queries/list-workers.js';
import { requireProfileReader } from './require-profile-reader.js';
import { Worker, WorkerPage } from './worker-types.js';

@Resolver(() => Worker)
export class WorkerQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Worker>,
  ) {}

  @Teams(...PERSONS_READERS)
  @Query(() => Worker, { nullable: true, description: 'One worker. For internal teams.' })
  async worker(
    @Arg('id', () => ID, { description: 'The id of the worker.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Worker | null> {
    requireProfileReader(context.origin.actor);
    return await loadById(context, this.byId, id);
  }

  @Teams(...PERSONS_READERS)
  @Query(() => WorkerPage, { description: 'Workers, newest first. For internal teams.' })
  async workers(
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, { nullable: true, description: 'The nextCursor of the previous page.' })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Worker>> {
    requireProfileReader(actor);
    return await listWorkers(this.em, actor.workspaceId, { limit, cursor });
  }
}
