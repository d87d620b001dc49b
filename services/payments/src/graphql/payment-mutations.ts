import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { Decimal, OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { addDeduction } from '../commands/add-deduction.js';
import { cancelPayment } from '../commands/cancel-payment.js';
import { removeDeduction } from '../commands/remove-deduction.js';
import { retryPayment } from '../commands/retry-payment.js';
import type * as domain from '../domain/payment.js';
import { initiatePayout, type InitiatePayoutParts } from '../payouts/initiate-payout.js';
import { Payment } from './types.js';

@Resolver()
export class PaymentMutations {
  private readonly commands: CommandRunner;

  constructor(private readonly parts: InitiatePayoutParts) {
    this.commands = parts.commands;
  }

  @Teams('service', 'finance')
  @Mutation(() => Payment, {
    description:
      'pending → processing, now: the way of payments that do not pay themselves. → failed, with the reason, where that cannot be.',
  })
  initiatePayout(
    @Arg('paymentId', () => ID) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return initiatePayout(this.parts, paymentId, origin, operationId);
  }

  @Teams('service', 'finance')
  @Mutation(() => Payment, { description: 'failed → pending; processed again as any pending payment is.' })
  retryPayment(
    @Arg('paymentId', () => ID) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(retryPayment, { paymentId }, origin, operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'pending → cancelled, for good.' })
  cancelPayment(
    @Arg('paymentId', () => ID) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(cancelPayment, { paymentId }, origin, operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'Lowers the net amount of a pending payment, at most to zero.' })
  addDeduction(
    @Arg('paymentId', () => ID) paymentId: string,
    @Arg('name', () => String, { description: '1 to 100 characters after trimming.' }) name: string,
    @Arg('amount', () => Decimal, { description: "Above zero, in whole smallest units of the payment's currency." })
    amount: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(addDeduction, { paymentId, name, amount }, origin, operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'Takes a deduction of a pending payment back.' })
  removeDeduction(
    @Arg('paymentId', () => ID) paymentId: string,
    @Arg('deductionId', () => ID) deductionId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(removeDeduction, { paymentId, deductionId }, origin, operationId);
  }
}
