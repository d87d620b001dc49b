import 'reflect-metadata';
import type { ContractDraft } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { assignWorker, createContractDraft, deleteContract, updateContractDraft } from '../commands/contract-drafts.js';
import { submitContractForVerification } from '../commands/contract-life.js';
import type * as domain from '../domain/contract.js';
import type { DraftChanges } from '../domain/draft.js';
import { ContractDraftChangesInput, ContractDraftInput } from './draft-types.js';
import { Contract } from './types.js';

type Id = string | undefined;

/** From nothing to a draft that says all that is needed. */
@Resolver()
export class DraftMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'A draft, to be completed, reviewed and signed in the application.' })
  createContractDraft(
    @Arg('input', () => ContractDraftInput, { description: 'The draft to make.' }) input: ContractDraft,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(createContractDraft, { ...input }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Completes or corrects a draft.' })
  updateContractDraft(
    @Arg('id', () => ID, { description: 'The id of the draft.' }) id: string,
    @Arg('input', () => ContractDraftChangesInput, { description: 'What to fill in or correct.' })
    input: DraftChanges,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(updateContractDraft, { id, ...input }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Names the worker of a draft.' })
  assignWorker(
    @Arg('contractId', () => ID, { description: 'The contract that the worker works under.' }) contractId: string,
    @Arg('workerId', () => ID, { description: 'The worker to name.' }) workerId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(assignWorker, { contractId, workerId }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description:
      'draft → pending_verification. Refused as VALIDATION_FAILED, whose details name all that is missing: worker, startDate, and what the contract type needs to be paid; and each amount that cannot be paid in its currency.',
  })
  submitContractForVerification(
    @Arg('id', () => ID, { description: 'The id of the draft.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(submitContractForVerification, { id }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Deletes a draft or a cancelled contract, leaving a tombstone.' })
  deleteContract(
    @Arg('id', () => ID, { description: 'The id of the draft.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(deleteContract, { id }, origin, operationId);
  }
}
