import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { loadById, type Fetch, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Args, Ctx, ID, Query, Resolver } from 'type-graphql';
import type * as domain from '../domain/contract.js';
import { listContracts } from '../queries/list-contracts.js';
import { ContractListArguments } from './list-arguments.js';
import { Contract, ContractPage } from './types.js';

@Resolver(() => Contract)
export class ContractQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Contract>,
  ) {}

  @Query(() => Contract, { nullable: true, description: 'One contract, also a deleted one.' })
  async contract(@Arg('id', () => ID) id: string, @Ctx() context: SubgraphContext): Promise<domain.Contract | null> {
    requireScope(context.origin.actor, 'read');
    return await loadById(context, this.byId, id);
  }

  @Query(() => ContractPage, { description: 'Contracts, newest first; with updatedSince, oldest change first.' })
  async contracts(
    @Args(() => ContractListArguments) filters: ContractListArguments,
    @Ctx() context: SubgraphContext,
  ): Promise<Page<domain.Contract>> {
    requireScope(context.origin.actor, 'read');
    return await listContracts(this.em, context.origin.actor, filters);
  }
}
