import {
  ROLES,
  TEAMS,
  requireFound,
  requireApplication,
  requireScope,
  type ContractDraft,
  type Origin,
} from '@payroll/kernel';
import {
  byKeys,
  IdArg,
  loadById,
  NULLABLE,
  MutationCtx,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { searchedOfContracts } from './searched.js';
import {
  assignWorker,
  copyContract,
  createContractDraft,
  deleteContract,
  updateContractDraft,
} from '../commands/contract-drafts.js';
import { submitContractForVerification } from '../commands/contract-life.js';
import type { DraftChanges } from '../domain/draft.js';
import { listContracts } from '../queries/lists.js';
import * as store from '../store/views.js';
import {
  Contract,
  ContractDetails,
  ContractListArguments,
  ContractPage,
  SEEN,
  SeenArguments,
} from './contract-types.js';
import { ContractDraftChangesInput, ContractDraftInput } from './draft-types.js';

@Resolver(() => Contract)
export class ContractResolver {
  readonly byId;
  private readonly detailsById;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {
    this.byId = byKeys(parts.em, store.contracts);
    this.detailsById = byKeys(parts.em, store.contractDetails);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => Contract, { nullable: true, description: 'One contract, also a deleted one.' })
  contract(@IdArg('contract') id: string, @ReadCtx() reader: SubgraphContext): Promise<Contract | null> {
    return loadById(reader, this.byId, id);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => ContractPage, { description: 'Contracts, newest first; with updatedSince, oldest change first.' })
  contracts(
    @Args(() => ContractListArguments) filters: ContractListArguments,
    @ReadCtx() reader: SubgraphContext,
  ): Promise<Page<Contract>> {
    const { em } = this.parts;
    return listContracts(em, reader.origin.actor, { ...filters, searched: searchedOfContracts(reader) });
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => ContractDetails, { description: 'All else that is kept of it. Not for credentials.' })
  async details(@Root() { id }: store.Contract, @Ctx() context: SubgraphContext): Promise<ContractDetails> {
    requireApplication(context.origin.actor);
    requireScope(context.origin.actor, 'read');
    return requireFound(await loadById(context, this.detailsById, id), 'The contract');
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'A draft, to be completed, reviewed and signed in the application.' })
  createContractDraft(
    @Arg('input', () => ContractDraftInput, { description: 'The draft to make.' }) input: ContractDraft,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(createContractDraft, { ...input }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, {
    description: 'A new draft with the content, the current terms and the worker of a contract.',
  })
  copyContract(@IdArg('contract') id: string, @MutationCtx() origin: Origin): Promise<Contract> {
    return this.parts.commands.run(copyContract, { id }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'Completes or corrects a draft.' })
  updateContractDraft(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('input', () => ContractDraftChangesInput, { description: 'What to fill in or correct.' })
    input: DraftChanges,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(updateContractDraft, { ...seen, ...input }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'Names the worker of a draft.' })
  assignWorker(
    @Arg('contractId', () => ID, { description: 'The contract that the worker works under.' }) contractId: string,
    @Arg('workerId', () => ID, { description: 'The worker to name.' }) workerId: string,
    @Arg('expectedRevision', () => Int, { ...NULLABLE, description: SEEN }) expectedRevision: number | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(assignWorker, { contractId, workerId, expectedRevision }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, {
    description:
      'draft → pending_verification. Refused as VALIDATION_FAILED, whose details name all that is missing: worker, startDate, and what the contract type needs to be paid; and each amount that cannot be paid in its currency.',
  })
  submitContractForVerification(
    @Args(() => SeenArguments) seen: SeenArguments,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(submitContractForVerification, { ...seen }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'Deletes a draft or a cancelled contract, leaving a tombstone.' })
  deleteContract(@Args(() => SeenArguments) seen: SeenArguments, @MutationCtx() origin: Origin): Promise<Contract> {
    return this.parts.commands.run(deleteContract, { ...seen }, origin);
  }
}
