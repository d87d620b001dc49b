import 'reflect-metadata';
import type { Command, CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { advanceContract, type AdvanceContract } from '../commands/advance-contract.js';
import { assignWorker } from '../commands/assign-worker.js';
import { createContractDraft } from '../commands/create-contract-draft.js';
import { deleteContract } from '../commands/delete-contract.js';
import { registerWorker } from '../commands/register-worker.js';
import { signContract } from '../commands/sign-contract.js';
import type * as domain from '../domain/contract.js';
import { ContractDraftInput } from './contract-draft-input.js';
import { SigningSideEnum } from './enums.js';
import { Contract, Worker } from './types.js';

type Id = string | undefined;

@Resolver()
export class ContractMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Mutation(() => Contract, { description: 'A draft, to be completed, reviewed and signed in the application.' })
  createContractDraft(
    @Arg('input', () => ContractDraftInput) input: ContractDraftInput,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.run(createContractDraft, { ...input }, operationId, context);
  }

  @Mutation(() => Worker, { description: 'Notes a person who will work under contracts.' })
  registerWorker(
    @Arg('name', () => String) name: string,
    @Arg('email', () => String) email: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<Worker> {
    return this.run(registerWorker, { name, email }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'Names the worker of a draft.' })
  assignWorker(
    @Arg('contractId', () => ID) contractId: string,
    @Arg('workerId', () => ID) workerId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.run(assignWorker, { contractId, workerId }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'draft → pending_verification' })
  submitContractForVerification(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'submit for verification' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'pending_verification → ready_for_signature' })
  verifyContract(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'verify' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'ready_for_signature → pending_signature' })
  requestContractSignatures(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'request signatures' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'One side signs; with both signatures pending_signature → signed.' })
  signContract(
    @Arg('id', () => ID) id: string,
    @Arg('side', () => SigningSideEnum) side: domain.SigningSide,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.run(signContract, { id, side }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'signed → active: work can be submitted from now on.' })
  activateContract(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'activate' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'active → offboarding' })
  startContractOffboarding(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'start offboarding' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'offboarding → completed' })
  completeContract(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'complete' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'Ends a contract before its completion.' })
  cancelContract(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.advance({ id, edge: 'cancel' }, operationId, context);
  }

  @Mutation(() => Contract, { description: 'Deletes a draft or a cancelled contract, leaving a tombstone.' })
  deleteContract(
    @Arg('id', () => ID) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.run(deleteContract, { id }, operationId, context);
  }

  private advance(input: AdvanceContract, operationId: Id, context: SubgraphContext): Promise<domain.Contract> {
    return this.run(advanceContract, input, operationId, context);
  }

  private run<Input, Result>(
    command: Command<Input, Result>,
    input: Input,
    operationId: Id,
    { origin }: SubgraphContext,
  ): Promise<Result> {
    return this.commands.run(command, input, origin, operationId);
  }
}
