import type { Origin } from '@payroll/kernel';
import { ask, WORKER_ACCESS_QUESTION } from '@payroll/events';
import { CalendarDate, IdArg, NULLABLE, MutationCtx, VisibleTo, type ServiceDependencies } from '@payroll/service';
import { Arg, Args, Int, Mutation, Resolver } from 'type-graphql';
import * as life from '../commands/contract-life.js';
import { signAsWorkerInSandbox, signForBusiness } from '../commands/contract-signing.js';
import { changeContractTerms, withdrawAmendment } from '../commands/contract-terms.js';
import { knowBusiness, workerOfContract } from '../queries/agreements.js';
import { Contract, ContractTermsArguments, SeenArguments } from './contract-types.js';

const DIGEST = 'Of the text that was read; another text is refused as stale. A person has to say it.';

@Resolver()
export class ContractLife {
  constructor(private readonly parts: Pick<ServiceDependencies, 'commands' | 'em' | 'learn' | 'bus'>) {}

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, {
    description:
      'pending_verification → ready_for_signature. Refused as VALIDATION_FAILED where an amount cannot be paid in its currency, each named by its path in the details.',
  })
  verifyContract(@Args(() => SeenArguments) seen: SeenArguments, @MutationCtx() origin: Origin): Promise<Contract> {
    return this.parts.commands.run(life.advanceContract, { ...seen, edge: 'verify' }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'pending_verification → draft, to be corrected and submitted again.' })
  returnContractToDraft(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('reason', () => String, { description: 'What is to be corrected; 1–2000 characters.' }) reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(life.returnContractToDraft, { ...seen, reason }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'ready_for_signature → pending_signature' })
  async requestContractSignatures(
    @Args(() => SeenArguments) seen: SeenArguments,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    await knowBusiness(this.parts, origin.actor.workspaceId);
    return await this.parts.commands.run(life.advanceContract, { ...seen, edge: 'request signatures' }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, {
    description:
      'The business signs the text; with both signatures pending_signature → signed. The worker signs in person.',
  })
  async signContract(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('digest', () => String, { ...NULLABLE, description: DIGEST }) digest: string | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    await knowBusiness(this.parts, origin.actor.workspaceId);
    return await this.parts.commands.run(signForBusiness, { ...seen, digest }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'signed → active: work can be submitted from now on.' })
  activateContract(@Args(() => SeenArguments) seen: SeenArguments, @MutationCtx() origin: Origin): Promise<Contract> {
    return this.parts.commands.run(life.advanceContract, { ...seen, edge: 'activate' }, origin);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => Contract, {
    description:
      'Changes terms of an active contract, for work that is not approved yet. Where the worker signs in, a new rate and new due days wait for their signature.',
  })
  async changeContractTerms(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Args(() => ContractTermsArguments) change: ContractTermsArguments,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    const hasAccess = await this.doesWorkerSignIn(origin.actor.workspaceId, seen.id);
    return await this.parts.commands.run(changeContractTerms({ hasAccess }), { ...seen, ...change }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'Withdraws a change of terms that the worker has not signed.' })
  withdrawContractAmendment(
    @IdArg('contract') id: string,
    @Arg('number', () => Int, { description: 'Of the amendment.' }) number: number,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(withdrawAmendment, { id, number }, origin);
  }

  /** A worker who signs in agrees to new pay; without an access the parties agree outside of the application. */
  private async doesWorkerSignIn(workspaceId: string, contractId: string): Promise<boolean> {
    const workerId = await workerOfContract(this.parts.em, workspaceId, contractId);
    if (workerId === null) return false;
    return (await ask(this.parts.bus, WORKER_ACCESS_QUESTION, { workspaceId, workerId })).hasAccess;
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'active → offboarding; in offboarding it corrects the dates.' })
  startContractOffboarding(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('endDate', () => CalendarDate, { description: 'The last day of the contract.' }) endDate: string,
    @Arg('terminationDate', () => CalendarDate, {
      nullable: true,
      description: 'The day it was terminated on; left out where it ends as agreed.',
    })
    terminationDate: string | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    const input = { ...seen, endDate, terminationDate: terminationDate ?? null };
    return this.parts.commands.run(life.startContractOffboarding, input, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'offboarding → completed' })
  completeContract(@Args(() => SeenArguments) seen: SeenArguments, @MutationCtx() origin: Origin): Promise<Contract> {
    return this.parts.commands.run(life.advanceContract, { ...seen, edge: 'complete' }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Contract, { description: 'Ends a contract before its completion, for ever.' })
  cancelContract(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('reason', () => String, { description: 'Why; 1–2000 characters.' }) reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(life.cancelContract, { ...seen, reason }, origin);
  }
}

/** For admins, and integration tests, in test deployments; denied to everyone in a live one. */
@Resolver()
export class SandboxResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'commands' | 'deployment'>) {}

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Contract, { description: 'In a test deployment: the worker signs the text.' })
  sandboxSignAsWorker(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('digest', () => String, { ...NULLABLE, description: DIGEST }) digest: string | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Contract> {
    return this.parts.commands.run(signAsWorkerInSandbox.in(this.parts.deployment), { ...seen, digest }, origin);
  }
}
