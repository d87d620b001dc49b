import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { CalendarDate, OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Args, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import {
  advanceContract,
  cancelContract,
  changeContractTerms,
  returnContractToDraft,
  signContract,
  startContractOffboarding,
} from '../commands/contract-life.js';
import * as domain from '../domain/contract.js';
import { enumOf } from './enums.js';
import { ContractTermsArguments } from './terms-arguments.js';
import { Contract } from './types.js';

type Id = string | undefined;

/** The life of a contract once its draft is complete. */
@Resolver()
export class ContractMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description:
      'pending_verification → ready_for_signature. Refused as VALIDATION_FAILED where an amount cannot be paid in its currency, each named by its path in the details.',
  })
  verifyContract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(advanceContract, { id, edge: 'verify' }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'pending_verification → draft, to be corrected and submitted again.' })
  returnContractToDraft(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('reason', () => String, { description: 'What is to be corrected; 1–2000 characters.' }) reason: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(returnContractToDraft, { id, reason }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'ready_for_signature → pending_signature' })
  requestContractSignatures(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(advanceContract, { id, edge: 'request signatures' }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'One side signs; with both signatures pending_signature → signed.' })
  signContract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('side', () => enumOf(domain.SIGNING_SIDES), { description: 'Whose signature it is.' })
    side: domain.SigningSide,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(signContract, { id, side }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'signed → active: work can be submitted from now on.' })
  activateContract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(advanceContract, { id, edge: 'activate' }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description: 'Changes terms of an active contract. They hold for work that is not approved yet.',
  })
  changeContractTerms(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Args(() => ContractTermsArguments) change: ContractTermsArguments,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(changeContractTerms, { id, ...change }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'active → offboarding' })
  startContractOffboarding(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('endDate', () => CalendarDate, { description: 'The last day of the contract.' }) endDate: string,
    @Arg('terminationDate', () => CalendarDate, {
      nullable: true,
      description: 'The day it was terminated on; left out where it ends as agreed.',
    })
    terminationDate: string | undefined,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    const input = { id, endDate, terminationDate: terminationDate ?? null };
    return this.commands.run(startContractOffboarding, input, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'offboarding → completed' })
  completeContract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(advanceContract, { id, edge: 'complete' }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Ends a contract before its completion, for ever.' })
  cancelContract(
    @Arg('id', () => ID, { description: 'The id of the contract.' }) id: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters.' }) reason: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: Id,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Contract> {
    return this.commands.run(cancelContract, { id, reason }, origin, operationId);
  }
}
