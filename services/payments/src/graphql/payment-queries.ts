import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { EVERYBODY, type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/payment.js';
import type * as payout from '../domain/payout.js';
import { findPayment, type FindPayment } from '../queries/find-payment.js';
import { listPayments } from '../queries/list-payments.js';
import { PaymentListArguments } from './list-arguments.js';
import { Deduction, PayoutAttempt } from './payout-types.js';
import { Contract, Payment, PaymentPage } from './types.js';

export interface PaymentReads {
  em: EntityManager;
  byId: Fetch<domain.Payment>;
  deductions: Fetch<domain.Deduction[]>;
  attempts: Fetch<payout.PayoutAttempt[]>;
  fetchApproval: FindPayment['fetchApproval'];
}

@Resolver(() => Payment)
export class PaymentQueries {
  constructor(private readonly reads: PaymentReads) {}

  @Teams(...EVERYBODY)
  @Query(() => Payment, { nullable: true, description: 'One payment; null when there is none in this workspace.' })
  async payment(
    @Arg('id', () => ID, { description: 'The id of the payment.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Payment | null> {
    requireScope(context.origin.actor, 'read');
    const { fetchApproval, byId: fetchById } = this.reads;
    const byId = (one: string): Promise<domain.Payment | null> => loadById(context, fetchById, one);
    return await findPayment({ byId, fetchApproval }, id, context.origin.actor.workspaceId);
  }

  @Teams(...EVERYBODY)
  @Query(() => PaymentPage, { description: 'Payments, newest first; with updatedSince, oldest change first.' })
  async payments(
    @Args(() => PaymentListArguments) filters: PaymentListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Payment>> {
    requireScope(actor, 'read');
    return await listPayments(this.reads.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work was done under.' })
  contract(@Root() payment: domain.Payment): Contract {
    return { id: payment.contractId };
  }

  @FieldResolver(() => [Deduction], { description: 'Gross less these is net.' })
  async deductions(@Root() { id }: domain.Payment, @Ctx() context: SubgraphContext): Promise<domain.Deduction[]> {
    requireScope(context.origin.actor, 'read');
    return (await loadById(context, this.reads.deductions, id)) ?? [];
  }

  @FieldResolver(() => [PayoutAttempt], { description: 'First one first.' })
  async payoutAttempts(
    @Root() { id }: domain.Payment,
    @Ctx() context: SubgraphContext,
  ): Promise<payout.PayoutAttempt[]> {
    requireScope(context.origin.actor, 'read');
    return (await loadById(context, this.reads.attempts, id)) ?? [];
  }
}
