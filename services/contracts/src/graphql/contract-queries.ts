import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { notFound, requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/contract.js';
import { listContracts } from '../queries/list-contracts.js';
import { ContractDetails } from './contract-details.js';
import { ContractListArguments } from './list-arguments.js';
import { Contract, ContractPage } from './types.js';
import { requireProfileReader } from './require-profile-reader.js';

@Resolver(() => Contract)
export class ContractQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Contract>,
    private readonly detailsById: Fetch<domain.ContractDetails>,
  ) {}

  @Teams(...EVERYBODY)
  @Query(() => Contract, { nullable: true, description: 'One contract, also a deleted one.' })
  async contract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract | null> {
    requireScope(context.origin.actor, 'read');
    return await loadById(context, this.byId, id);
  }

  @Teams(...EVERYBODY)
  @Query(() => ContractPage, { description: 'Contracts, newest first; with updatedSince, oldest change first.' })
  async contracts(
    @Args(() => ContractListArguments) filters: ContractListArguments,
    @Ctx() context: SubgraphContext,
  ): Promise<Page<domain.Contract>> {
    requireScope(context.origin.actor, 'read');
    return await listContracts(this.em, context.origin.actor, filters);
  }

  @Teams(...TERMS_READERS)
  @FieldResolver(() => ContractDetails, { description: 'All else that is kept of it. For internal teams.' })
  async details(@Root() { id }: domain.Contract, @Ctx() context: SubgraphContext): Promise<domain.ContractDetails> {
    requireProfileReader(context.origin.actor);
    const found = await loadById(context, this.detailsById, id);
    if (!found) throw notFound('The contract');
    return found;
  }
}
