import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { assignWorker } from '../commands/assign-worker.js';
import { createContractDraft } from '../commands/create-contract-draft.js';
import { deleteContract } from '../commands/delete-contract.js';
import { submitContractForVerification } from '../commands/submit-contract-for-verification.js';
import { updateContractDraft } from '../commands/update-contract-draft.js';
import type * as domain from '../domain/contract.js';
import { ContractDraftChangesInput, ContractDraftInput } from './contract-draft-input.js';
import { Contract } from './types.js';

type Id = string | undefined;

/** From nothing to a draft that says all that is needed. */
@Resolver()
export class DraftMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'A draft, to be completed, reviewed and signed in the application.' })
  createContractDraft(
    @Arg('input', () => ContractDraftInput, { description: 'The draft to make.' }) input: ContractDraftInput,
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
    input: ContractDraftChangesInput,
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
