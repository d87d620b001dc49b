import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { type Fetch, loadById, OPERATION_ID, type SubgraphContext, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { changePayee, registerPayee, rejectPayee, verifyPayee } from '../commands/payees.js';
import type * as domain from '../domain/payee.js';
import type { KnowWorker } from '../payouts/ask-owners.js';
import { listPayees } from '../queries/list-payees.js';
import { PayoutMethodEnum } from './enums.js';
import { PayeeListArguments } from './list-arguments.js';
import { Payee, PayeePage, Worker } from './payout-types.js';

const DESTINATION = {
  description: 'What the method needs to find the worker, such as an IBAN; at most 254 characters.',
} as const;

@Resolver(() => Payee)
export class PayeeResolvers {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
    private readonly byId: Fetch<domain.Payee>,
    private readonly knowWorker: KnowWorker,
  ) {}

  @Teams(...TERMS_READERS)
  @Query(() => Payee, {
    nullable: true,
    description: 'Where one worker is paid; null when there is none in this workspace.',
  })
  async payee(
    @Arg('id', () => ID, { description: 'The id of the payee.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Payee | null> {
    requireScope(context.origin.actor, 'read');
    return await loadById(context, this.byId, id);
  }

  @Teams(...TERMS_READERS)
  @Query(() => PayeePage, { description: 'Payees, newest first; with updatedSince, oldest change first.' })
  async payees(
    @Args(() => PayeeListArguments) filters: PayeeListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Payee>> {
    requireScope(actor, 'read');
    return await listPayees(this.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Worker, { description: 'The worker whose money goes there.' })
  worker(@Root() payee: domain.Payee): Worker {
    return { id: payee.workerId };
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payee, { description: 'Says where a worker’s money goes; unverified. A worker has one payee.' })
  async registerPayee(
    @Arg('workerId', () => ID, { description: 'The worker whose money goes there.' }) workerId: string,
    @Arg('payoutMethod', () => PayoutMethodEnum, { description: 'How the money is sent.' })
    payoutMethod: domain.PayoutMethod,
    @Arg('destination', () => String, DESTINATION) destination: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payee> {
    const worker = await this.knowWorker(origin.actor.workspaceId, workerId);
    const input = { workerId: worker, payoutMethod, destination };
    return await this.commands.run(registerPayee, input, origin, operationId);
  }

  @Teams('service', 'finance')
  @Mutation(() => Payee, { description: 'Any state → unverified. A payout under way keeps its way.' })
  changePayee(
    @Arg('id', () => ID, { description: 'The id of the payee.' }) id: string,
    @Arg('payoutMethod', () => PayoutMethodEnum, { description: 'How the money is sent.' })
    payoutMethod: domain.PayoutMethod,
    @Arg('destination', () => String, DESTINATION) destination: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payee> {
    return this.commands.run(changePayee, { id, payoutMethod, destination }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Payee, {
    description: 'unverified → verified, by somebody who has not entered the destination: payouts may go there.',
  })
  verifyPayee(
    @Arg('id', () => ID, { description: 'The payee.' }) id: string,
    @Arg('expectedVersion', () => String, { description: 'Of the payee as it was looked at.' }) expectedVersion: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payee> {
    return this.commands.run(verifyPayee, { id, expectedVersion }, origin, operationId);
  }

  @Teams('operations', 'finance')
  @Mutation(() => Payee, { description: 'unverified → rejected, with the reason.' })
  rejectPayee(
    @Arg('id', () => ID, { description: 'The id of the payee.' }) id: string,
    @Arg('reason', () => String, { description: '1 to 2000 characters after trimming.' }) reason: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payee> {
    return this.commands.run(rejectPayee, { id, reason }, origin, operationId);
  }
}
