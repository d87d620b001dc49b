import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { Decimal, OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { addDeduction, cancelPayment, removeDeduction } from '../commands/pending-payment.js';
import type * as domain from '../domain/payment.js';
import { Payment } from './types.js';

@Resolver()
export class PaymentMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'pending → cancelled, for good.' })
  cancelPayment(
    @Arg('paymentId', () => ID, { description: 'The id of the payment.' }) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(cancelPayment, { paymentId }, origin, operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'Lowers the net amount of a pending payment, at most to zero.' })
  addDeduction(
    @Arg('paymentId', () => ID, { description: 'The id of the payment.' }) paymentId: string,
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
    @Arg('paymentId', () => ID, { description: 'The id of the payment.' }) paymentId: string,
    @Arg('deductionId', () => ID, { description: 'The id of the deduction.' }) deductionId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Payment> {
    return this.commands.run(removeDeduction, { paymentId, deductionId }, origin, operationId);
  }
}
