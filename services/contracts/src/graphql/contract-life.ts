import type { CommandRunner } from '@payroll/store';
import { CalendarDate, IdOf, type Operation, OperationOf, Teams } from '@payroll/subgraph';
import { Arg, Args, Mutation, Resolver } from 'type-graphql';
import * as life from '../commands/contract-life.js';
import { SIGNING_SIDES, type SigningSide } from '../domain/contract.js';
import { Contract, ContractTermsArguments } from './contract-types.js';
import { enumOf } from './enums.js';

@Resolver()
export class ContractLife {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description:
      'pending_verification → ready_for_signature. Refused as VALIDATION_FAILED where an amount cannot be paid in its currency, each named by its path in the details.',
  })
  verifyContract(@IdOf('contract') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.commands.run(life.advanceContract, { id, edge: 'verify' }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'pending_verification → draft, to be corrected and submitted again.' })
  returnContractToDraft(
    @IdOf('contract') id: string,
    @Arg('reason', () => String, { description: 'What is to be corrected; 1–2000 characters.' }) reason: string,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.commands.run(life.returnContractToDraft, { id, reason }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'ready_for_signature → pending_signature' })
  requestContractSignatures(@IdOf('contract') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.commands.run(life.advanceContract, { id, edge: 'request signatures' }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'One side signs; with both signatures pending_signature → signed.' })
  signContract(
    @IdOf('contract') id: string,
    @Arg('side', () => enumOf(SIGNING_SIDES), { description: 'Whose signature it is.' })
    side: SigningSide,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.commands.run(life.signContract, { id, side }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'signed → active: work can be submitted from now on.' })
  activateContract(@IdOf('contract') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.commands.run(life.advanceContract, { id, edge: 'activate' }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, {
    description: 'Changes terms of an active contract. They hold for work that is not approved yet.',
  })
  changeContractTerms(
    @IdOf('contract') id: string,
    @Args(() => ContractTermsArguments) change: ContractTermsArguments,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.commands.run(life.changeContractTerms, { id, ...change }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'active → offboarding' })
  startContractOffboarding(
    @IdOf('contract') id: string,
    @Arg('endDate', () => CalendarDate, { description: 'The last day of the contract.' }) endDate: string,
    @Arg('terminationDate', () => CalendarDate, {
      nullable: true,
      description: 'The day it was terminated on; left out where it ends as agreed.',
    })
    terminationDate: string | undefined,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    const input = { id, endDate, terminationDate: terminationDate ?? null };
    return this.commands.run(life.startContractOffboarding, input, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'offboarding → completed' })
  completeContract(@IdOf('contract') id: string, @OperationOf() by: Operation): Promise<Contract> {
    return this.commands.run(life.advanceContract, { id, edge: 'complete' }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Contract, { description: 'Ends a contract before its completion, for ever.' })
  cancelContract(
    @IdOf('contract') id: string,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters.' }) reason: string,
    @OperationOf() by: Operation,
  ): Promise<Contract> {
    return this.commands.run(life.cancelContract, { id, reason }, by.origin, by.operationId);
  }
}
