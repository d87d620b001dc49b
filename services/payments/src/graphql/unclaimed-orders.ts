import { requireInternal, type Origin } from '@payroll/kernel';
import {
  field,
  type Money,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  VisibleTo,
} from '@payroll/service';
import { list, type Page } from '@payroll/store';
import { Arg, Args, ArgsType, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { requestOrderEnd } from '../commands/unclaimed-order.js';
import type { UnclaimedStatus } from '../domain/unclaimed-order.js';
import { unclaimedOrders } from '../store/views.js';
import { UnclaimedStatusEnum } from './enums.js';
import { Instruction, Reason } from './instructions.js';

@VisibleTo({ teams: ['operations', 'finance'] })
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

const UnclaimedOrderPage = pageType(UnclaimedOrder, 'unclaimed orders', ['operations', 'finance']);

@ArgsType()
class UnclaimedOrderListArguments extends PageArguments {
  @field.of(() => UnclaimedStatusEnum, 'Only orders in this status.', NULLABLE) status?: UnclaimedStatus | null;
}

const OrderId = Arg('orderId', () => ID, { description: 'The id of an open unclaimed order.' });

@Resolver()
export class UnclaimedOrderResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {}

  @VisibleTo({ teams: ['operations', 'finance'] })
  @Query(() => UnclaimedOrderPage, { description: 'Unclaimed orders, newest first.' })
  unclaimedOrders(
    @Args(() => UnclaimedOrderListArguments) { status, ...page }: UnclaimedOrderListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<UnclaimedOrder>> {
    requireInternal(actor);
    return list(this.parts.em, unclaimedOrders, { workspaceId: actor.workspaceId, where: { status }, ...page });
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description:
      'An unclaimed order has paid a payment that is here. Once countersigned, the payment takes the order over and is not ordered again.',
  })
  requestClaim(
    @OrderId orderId: string,
    @Arg('paymentId', () => ID, { description: 'A pending payment: the same work, handed in again.' })
    paymentId: string,
    @Reason reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return this.parts.commands.run(requestOrderEnd, { orderId, paymentId, reason }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description:
      'An unclaimed order has paid for no work that is here. Once countersigned, what it paid is booked as receivable, and the worker is paid again.',
  })
  requestDismissal(
    @OrderId orderId: string,
    @Reason reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return this.parts.commands.run(requestOrderEnd, { orderId, paymentId: null, reason }, origin);
  }
}
