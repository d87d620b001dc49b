import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal } from '@payroll/kernel';
import { list, type Page } from '@payroll/store';
import {
  field,
  type Money,
  NULLABLE,
  PageArguments,
  pageOf,
  Reader,
  type SubgraphContext,
  Teams,
} from '@payroll/subgraph';
import { Args, ArgsType, ObjectType, Query, Resolver } from 'type-graphql';
import type { UnclaimedStatus } from '../domain/unclaimed-order.js';
import { unclaimedOrders } from '../store/views.js';
import { UnclaimedStatusEnum } from './enums.js';

@Teams('operations', 'finance')
@ObjectType({
  description:
    'An order that the payout provider has, and that no payment here has made: a restore has lost what ordered it. While it is open, its worker is not paid.',
})
class UnclaimedOrder {
  @field.id('Its id, a UUID.') id!: string;
  @field.of(() => UnclaimedStatusEnum, 'Whether it holds payouts, or how two people ended it.')
  status!: UnclaimedStatus;
  @field.text('The key that it was ordered under.') idempotencyKey!: string;
  @field.text("The provider's own name for it.") providerReference!: string;
  @field.id('The worker it paid, who may have been lost as well.') workerId!: string;
  @field.money('What was ordered.') amount!: Money;
  @field.time('When the provider got it, by its clock.') orderedAt!: string;
  @field.time('When it was found.') createdAt!: string;
  @field.time('When its status changed last.') updatedAt!: string;
}

const UnclaimedOrderPage = pageOf(UnclaimedOrder, 'unclaimed orders', ['operations', 'finance']);

@ArgsType()
class UnclaimedOrderListArguments extends PageArguments {
  @field.of(() => UnclaimedStatusEnum, 'Only orders in this status.', NULLABLE) status?: UnclaimedStatus | null;
}

@Resolver()
export class UnclaimedOrderResolver {
  constructor(private readonly em: EntityManager) {}

  @Teams('operations', 'finance')
  @Query(() => UnclaimedOrderPage, { description: 'Unclaimed orders, newest first.' })
  unclaimedOrders(
    @Args(() => UnclaimedOrderListArguments) { status, ...page }: UnclaimedOrderListArguments,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<UnclaimedOrder>> {
    requireInternal(actor);
    return list(this.em, unclaimedOrders, { workspaceId: actor.workspaceId, where: { status }, ...page });
  }
}
