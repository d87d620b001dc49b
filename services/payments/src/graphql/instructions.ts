import { requireInternal, type Origin } from '@payroll/kernel';
import {
  byKeys,
  Decimal,
  type BatchFetch,
  field,
  IdArg,
  loadById,
  type Money,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  ReadCtx,
  type SubgraphContext,
  VisibleTo,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, Ctx, FieldResolver, ID, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { requestClearing, requestFunding, requestOutcome } from '../commands/instructions.js';
import type { InstructionKind, InstructionStatus } from '../domain/instruction.js';
import type { DifferenceAccount } from '../domain/ledger.js';
import { decideInstruction, instructPayout, type InstructDependencies } from '../payouts/instruct.js';
import { listInstructions } from '../queries/money.js';
import { instructions } from '../store/views.js';
import { DifferenceAccountEnum, InstructionKindEnum, InstructionStatusEnum } from './enums.js';
import { Payee } from './payees.js';
import { Payment } from './payments.js';

@VisibleTo({ teams: ['finance'] })
@ObjectType({ description: 'An order to move money. Nothing moves before a second person has countersigned it.' })
export class Instruction {
  @field.id('Its id, a UUID.') id!: string;
  @field.of(() => InstructionKindEnum, 'What is to move: funding puts money in, payout and retry send a payment.')
  kind!: InstructionKind;
  @field.of(() => InstructionStatusEnum, 'Whether it waits, was decided, or is over.') status!: InstructionStatus;
  @field.money('Of a payment: its net when it was requested. Of an outcome or an order: what the provider names.')
  amount!: Money;
  @field.id('The payment it is about; null for a funding, a dismissal and a clearing.', NULLABLE) paymentId!:
    | string
    | null;
  @field.id('Where the money would go; null while the worker has no payee.', NULLABLE) payeeId!: string | null;
  @field.text('Of a funding: how its sender named the transfer.', NULLABLE) reference!: string | null;
  @field.text('Of a funding: how the bank names the transfer, in capitals and without spaces.', NULLABLE)
  bankTransactionId!: string | null;
  @field.id('Of claim and dismiss: the unclaimed order.', NULLABLE) orderId!: string | null;
  @field.of(() => DifferenceAccountEnum, 'Of a clearing: what it settles.', NULLABLE)
  account!: DifferenceAccount | null;
  @field.text('Of was_paid, never_paid, claim, dismiss and clearing: how it is known.', NULLABLE) reason!:
    | string
    | null;
  @field.text('A person of finance, by email address.') requestedBy!: string;
  @field.text('A second person; the first one where it was withdrawn.', NULLABLE) decidedBy!: string | null;
  @field.time('When the first person requested it.') requestedAt!: string;
  @field.time('When it was countersigned, declined or withdrawn; null until then.', NULLABLE) decidedAt!: string | null;
  @field.time('Nobody can decide it from then on.') expiresAt!: string;
}

const InstructionPage = pageType(Instruction, 'instructions', ['finance']);

@ArgsType()
class InstructionListArguments extends PageArguments {
  @field.of(() => InstructionStatusEnum, 'Only instructions in this status.', NULLABLE)
  status?: InstructionStatus | null;
}

const WaitingId = Arg('id', () => ID, { description: 'The instruction, which has to be waiting.' });

export const Reason = Arg('reason', () => String, {
  description: 'How it is known, such as who wrote it when; at most 1,000 characters.',
});

// Only staff read instructions, since they name persons.
@Resolver(() => Instruction)
export class InstructionResolver {
  private readonly byId;

  constructor(
    private readonly parts: InstructDependencies,
    private readonly payments: BatchFetch<Payment>,
    private readonly payees: BatchFetch<Payee>,
  ) {
    this.byId = byKeys(parts.em, instructions);
  }

  @VisibleTo({ teams: ['finance'] })
  @Query(() => Instruction, {
    nullable: true,
    description: 'One instruction; null when there is none in this workspace.',
  })
  instruction(@IdArg('instruction') id: string, @ReadCtx() reader: SubgraphContext): Promise<Instruction | null> {
    requireInternal(reader.origin.actor);
    return loadById(reader, this.byId, id);
  }

  @VisibleTo({ teams: ['finance'] })
  @Query(() => InstructionPage, { description: 'Instructions, newest first.' })
  instructions(
    @Args(() => InstructionListArguments) filters: InstructionListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Instruction>> {
    requireInternal(actor);
    return listInstructions(this.parts.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Payment, { nullable: true, description: 'As it is now.' })
  async payment(@Root() { paymentId }: Instruction, @Ctx() context: SubgraphContext): Promise<Payment | null> {
    return paymentId === null ? null : await loadById(context, this.payments, paymentId);
  }

  @FieldResolver(() => Payee, { nullable: true, description: 'As it is now.' })
  async payee(@Root() { payeeId }: Instruction, @Ctx() context: SubgraphContext): Promise<Payee | null> {
    return payeeId === null ? null : await loadById(context, this.payees, payeeId);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description: 'Money arrived for the workspace. Once a second person countersigns, it is booked and can be spent.',
  })
  requestFunding(
    @Arg('amount', () => Decimal, { description: 'Above zero, in whole smallest units of the currency.' })
    amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @Arg('reference', () => String, { description: 'How its sender named the transfer; at most 140 characters.' })
    reference: string,
    @Arg('bankTransactionId', () => String, {
      description: 'The transfer, as the bank that received it names it on its statement. Each is booked once.',
    })
    bankTransactionId: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    const transfer = { amount, currency, reference, bankTransactionId };
    return this.parts.commands.run(requestFunding, transfer, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description:
      'For payments that are not paid automatically. Once countersigned, the payment is processing, or failed with the reason.',
  })
  requestPayout(
    @Arg('paymentId', () => ID, { description: 'A pending payment, whether it is due or not.' }) paymentId: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return instructPayout(this.parts, { kind: 'payout', paymentId }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description: 'Once countersigned, the failed payment is pending again and is processed like any other.',
  })
  requestRetry(
    @Arg('paymentId', () => ID, { description: 'A failed payment.' }) paymentId: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return instructPayout(this.parts, { kind: 'retry', paymentId }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description:
      'For a payment whose payout waits under an alarm. Once countersigned, it is completed, or failed and can be retried.',
  })
  requestOutcome(
    @Arg('paymentId', () => ID, { description: 'A payment under an alarm.' }) paymentId: string,
    @Arg('wasPaid', () => Boolean, { description: 'Whether the provider says that it was paid, or that it never was.' })
    wasPaid: boolean,
    @Reason reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return this.parts.commands.run(requestOutcome, { paymentId, wasPaid, reason }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description:
      'The business and its workers have settled what a payout of another amount left between them. Once countersigned, it is no longer owed; what can be spent stays as it is.',
  })
  requestClearing(
    @Arg('account', () => DifferenceAccountEnum, { description: 'What they have settled.' }) account: DifferenceAccount,
    @Arg('amount', () => Decimal, { description: 'Above zero, at most what is owed.' }) amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @Reason reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<Instruction> {
    return this.parts.commands.run(requestClearing, { account, amount, currency, reason }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, {
    description: 'By a second person: carries it out exactly as requested, or not at all.',
  })
  countersignInstruction(@WaitingId id: string, @MutationCtx() origin: Origin): Promise<Instruction> {
    return decideInstruction(this.parts, { id, edge: 'countersign' }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, { description: 'By a second person: it is not carried out.' })
  declineInstruction(@WaitingId id: string, @MutationCtx() origin: Origin): Promise<Instruction> {
    return decideInstruction(this.parts, { id, edge: 'decline' }, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Instruction, { description: 'By the person who requested it: it is not carried out.' })
  withdrawInstruction(@WaitingId id: string, @MutationCtx() origin: Origin): Promise<Instruction> {
    return decideInstruction(this.parts, { id, edge: 'withdraw' }, origin);
  }
}
