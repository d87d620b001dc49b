import 'reflect-metadata';
import { Decimal, OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { requestFunding } from '../commands/instructions.js';
import type * as domain from '../domain/instruction.js';
import { decideInstruction, instructPayout, type InstructParts } from '../payouts/instruct.js';
import { Instruction } from './instruction-types.js';

@Resolver()
export class InstructionMutations {
  constructor(private readonly parts: InstructParts) {}

  @Teams('finance')
  @Mutation(() => Instruction, {
    description: 'Money arrived for the workspace: booked, and free to be spent, once a second person countersigns.',
  })
  requestFunding(
    @Arg('amount', () => Decimal, { description: 'Above zero, in whole smallest units of the currency.' })
    amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @Arg('reference', () => String, { description: 'How its sender named the transfer; at most 140 characters.' })
    reference: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return this.parts.commands.run(requestFunding, { amount, currency, reference }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Instruction, {
    description:
      'The way of payments that do not pay themselves. Countersigned, the payment is processing, or failed with the reason where that cannot be.',
  })
  requestPayout(
    @Arg('paymentId', () => ID, { description: 'A pending payment, whether it is due or not.' }) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return instructPayout(this.parts, { kind: 'payout', paymentId }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Instruction, {
    description: 'Countersigned, the failed payment is pending, and is processed again as any pending payment is.',
  })
  requestRetry(
    @Arg('paymentId', () => ID, { description: 'A failed payment.' }) paymentId: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return instructPayout(this.parts, { kind: 'retry', paymentId }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Instruction, {
    description: 'By a second person: carries it out, as it was requested or not at all.',
  })
  countersignInstruction(
    @Arg('id', () => ID, { description: 'The instruction, which has to be waiting.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return decideInstruction(this.parts, { id, edge: 'countersign' }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Instruction, { description: 'By a second person: it is not carried out.' })
  declineInstruction(
    @Arg('id', () => ID, { description: 'The instruction, which has to be waiting.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return decideInstruction(this.parts, { id, edge: 'decline' }, origin, operationId);
  }

  @Teams('finance')
  @Mutation(() => Instruction, { description: 'By who requested it: it is not carried out.' })
  withdrawInstruction(
    @Arg('id', () => ID, { description: 'The instruction, which has to be waiting.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Instruction> {
    return decideInstruction(this.parts, { id, edge: 'withdraw' }, origin, operationId);
  }
}
