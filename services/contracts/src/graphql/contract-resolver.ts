import { notFound, type ContractDraft } from '@payroll/kernel';
import { byKeys, type ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  EVERYBODY,
  EVERY_MEMBER,
  IdOf,
  loadById,
  type Operation,
  OperationOf,
  People,
  Reader,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { assignWorker, createContractDraft, deleteContract, updateContractDraft } from '../commands/contract-drafts.js';
import { submitContractForVerification } from '../commands/contract-life.js';
import type { DraftChanges } from '../domain/draft.js';
import * as store from '../store/contracts.js';
import { Contract, ContractDetails, ContractListArguments, ContractPage } from './contract-types.js';
import { ContractDraftChangesInput, ContractDraftInput } from './draft-types.js';
import { requireProfileReader } from './worker.js';

@Resolver(() => Contract)
export class ContractResolver {
  readonly byId;
  private readonly detailsById;

  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands'>) {
    this.byId = byKeys(parts.em, store.contracts);
    this.detailsById = byKeys(parts.em, store.contractDetails);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => Contract, { nullable: true, description: 'One contract, also a deleted one.' })
  contract(@IdOf('contract') id: string, @Reader() reader: SubgraphContext): Promise<Contract | null> {
    return loadById(reader, this.byId, id);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => ContractPage, { description: 'Contracts, newest first; with updatedSince, oldest change first.' })
  contracts(
    @Args(() => ContractListArguments) filters: ContractListArguments,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Contract>> {
    return store.listContracts(this.parts.em, actor, filters);
  }

  @Teams(...TERMS_READERS)
  @FieldResolver(() => ContractDetails, { description: 'All else that is kept of it. For internal teams.' })
  async details(@Root() { id }: store.Contract, @Ctx() context: SubgraphContext): Promise<ContractDetails> {
    requireProfileReader(context.origin.actor);
    const found = await loadById(context, this.detailsById, id);
    if (!found) throw notFound('The contract');
    return found;
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'A draft, to be completed, reviewed and signed in the application.' })
  createContractDraft(
    @Arg('input', () => ContractDraftInput, { description: 'The draft to make.' }) input: ContractDraft,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.parts.commands.run(createContractDraft, { ...input }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Completes or corrects a draft.' })
  updateContractDraft(
    @IdOf('draft') id: string,
    @Arg('input', () => ContractDraftChangesInput, { description: 'What to fill in or correct.' })
    input: DraftChanges,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.parts.commands.run(updateContractDraft, { id, ...input }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Names the worker of a draft.' })
  assignWorker(
    @Arg('contractId', () => ID, { description: 'The contract that the worker works under.' }) contractId: string,
    @Arg('workerId', () => ID, { description: 'The worker to name.' }) workerId: string,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.parts.commands.run(assignWorker, { contractId, workerId }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description:
      'draft → pending_verification. Refused as VALIDATION_FAILED, whose details name all that is missing: worker, startDate, and what the contract type needs to be paid; and each amount that cannot be paid in its currency.',
  })
  submitContractForVerification(@IdOf('draft') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.parts.commands.run(submitContractForVerification, { id }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Deletes a draft or a cancelled contract, leaving a tombstone.' })
  deleteContract(@IdOf('draft') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.parts.commands.run(deleteContract, { id }, by.origin, by.operationId);
  }
}
