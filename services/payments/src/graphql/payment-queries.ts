import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { loadById, type Fetch, type SubgraphContext } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/payment.js';
import { findPayment, type FindPayment } from '../queries/find-payment.js';
import { listPayments } from '../queries/list-payments.js';
import { PaymentListArguments } from './list-arguments.js';
import { Contract, Payment, PaymentPage } from './types.js';

@Resolver(() => Payment)
export class PaymentQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly byId: Fetch<domain.Payment>,
    private readonly fetchApproval: FindPayment['fetchApproval'],
  ) {}

  @Query(() => Payment, { nullable: true })
  async payment(@Arg('id', () => ID) id: string, @Ctx() context: SubgraphContext): Promise<domain.Payment | null> {
    requireScope(context.origin.actor, 'read');
    const { fetchApproval } = this;
    const byId = (one: string): Promise<domain.Payment | null> => loadById(context, this.byId, one);
    return await findPayment({ byId, fetchApproval }, id, context.origin.actor.workspaceId);
  }

  @Query(() => PaymentPage, { description: 'Payments, newest first; with updatedSince, oldest change first.' })
  async payments(
    @Args(() => PaymentListArguments) filters: PaymentListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Payment>> {
    requireScope(actor, 'read');
    return await listPayments(this.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract)
  contract(@Root() payment: domain.Payment): Contract {
    return { id: payment.contractId };
  }
}
