import 'reflect-metadata';
import { notFound, requireInternal, requireScope } from '@payroll/kernel';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/workspace.js';
import { Business, IntegrationSwitches } from './types.js';

@Resolver(() => Business)
export class BusinessQueries {
  constructor(private readonly byId: Fetch<domain.Business>) {}

  @Teams(...EVERYBODY)
  @Query(() => Business, { description: 'The business of the current workspace.' })
  async business(@Ctx() context: SubgraphContext): Promise<domain.Business> {
    const { actor } = context.origin;
    requireScope(actor, 'read');
    const business = await loadById(context, this.byId, actor.workspaceId);
    if (!business) throw notFound('The business');
    return business;
  }

  @Teams('service', 'support', 'operations')
  @FieldResolver(() => IntegrationSwitches, { description: 'For internal teams.' })
  switches(@Root() business: domain.Business, @Ctx() { origin }: SubgraphContext): domain.IntegrationSwitches {
    requireInternal(origin.actor);
    return business;
  }
}
