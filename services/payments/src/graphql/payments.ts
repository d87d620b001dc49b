import type { FailureReason, PaymentMethod, PaymentStatus } from '@payroll/kernel';
import { byKeys, type ServiceParts } from '@payroll/service';
import { list, type Page } from '@payroll/store';
import {
  Decimal,
  EVERYBODY,
  EVERY_MEMBER,
  field,
  FollowedPageArguments,
  IdOf,
  loadById,
  type Money,
  NULLABLE,
  type Operation,
  OperationOf,
  pageOf,
  People,
  Reader,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/subgraph';
import {
  Arg,
  Args,
  ArgsType,
  Directive,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { addDeduction, cancelPayment, removeDeduction } from '../commands/pending-payment.js';
import type { AttemptStatus, PayoutAlarm } from '../domain/payout.js';
import { attemptsOfPayments, deductionsOfPayments, findPayment } from '../queries/payments.js';
import { payments } from '../store/views.js';
import { AttemptStatusEnum, FailureReasonEnum, PaymentStatusEnum, PayoutAlarmEnum, PayoutMethodEnum } from './enums.js';

@Teams(...EVERYBODY)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Money owed for approved work. Only a completed payment has been paid out.' })
export class Payment {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that the work was done under.') contractId!: string;
  @field.id('The timesheet it is for; null when it is for a milestone.', NULLABLE) timesheetId!: string | null;
  @field.id('The milestone it is for; null when it is for a timesheet.', NULLABLE) milestoneId!: string | null;
  @field.of(() => PaymentStatusEnum, 'How far it is.') status!: PaymentStatus;
  @field.money('What was approved, before deductions.') grossAmount!: Money;
  @field.money('What the worker gets after deductions.') netAmount!: Money;
  @field.day('The UTC day it is due; null when it is due at once.', NULLABLE) scheduledDate!: string | null;
  @field.time('When its processing began, the last time it did.', NULLABLE) processedAt!: string | null;
  @field.time('When the provider settled it; null until then.', NULLABLE) completedAt!: string | null;
  @field.of(() => FailureReasonEnum, 'Of a failed payment.', NULLABLE) failureReason!: FailureReason | null;
  @field.time('When it was created, just after its work was approved.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
}

const PaymentPage = pageOf(Payment, 'payments', EVERYBODY);

@Teams(...EVERYBODY)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
class Contract {
  @field.id('Its id, a UUID.') id!: string;
}

@Teams(...TERMS_READERS)
@People(...EVERY_MEMBER)
@ObjectType({ description: "A part of a payment's gross amount that the worker does not get." })
class Deduction {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The payment it is taken from.') paymentId!: string;
  @field.text('What it is for, 1–100 characters.') name!: string;
  @field.money('In the currency of the payment, above zero.') amount!: Money;
  @field.time('When it was added.') createdAt!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'One try to pay a payment out. At most one of a payment settles.' })
class PayoutAttempt {
  @field.id('The payment it tries to send.') paymentId!: string;
  @field.int('From 1; a new one only after the provider has declined the one before.') number!: number;
  @field.of(() => AttemptStatusEnum, 'How far it is.') status!: AttemptStatus;
  @field.id('Where the money goes.') payeeId!: string;
  @field.of(() => PayoutMethodEnum, 'How it is sent.') payoutMethod!: PaymentMethod;
  @field.money('The net amount of the payment when it was tried.') amount!: Money;
  @Teams('operations', 'finance')
  @field.text("The provider's own name for it, once it has answered.", NULLABLE)
  providerReference!: string | null;
  @field.of(() => PayoutAlarmEnum, 'Why it waits for a person; docs/runbook.md.', NULLABLE) alarm!: PayoutAlarm | null;
  @field.time('When it was prepared, before the provider was asked.') createdAt!: string;
  @field.time('When its status changed last.') updatedAt!: string;
}

@ArgsType()
class PaymentListArguments extends FollowedPageArguments {
  @field.of(() => PaymentStatusEnum, 'Only payments in this status.', NULLABLE) status?: PaymentStatus | null;
  @field.id('Only payments for work under this contract.', NULLABLE) contractId?: string | null;
}

const PaymentId = Arg('paymentId', () => ID, { description: 'The id of the payment.' });

@Resolver(() => Payment)
export class PaymentResolver {
  readonly byId;
  private readonly deductionsOf;
  private readonly attemptsOf;

  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands' | 'learn'>) {
    this.byId = byKeys(parts.em, payments);
    this.deductionsOf = deductionsOfPayments(parts.em);
    this.attemptsOf = attemptsOfPayments(parts.em);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => Payment, { nullable: true, description: 'One payment; null when there is none in this workspace.' })
  payment(@IdOf('payment') id: string, @Reader() reader: SubgraphContext): Promise<Payment | null> {
    const { workspaceId } = reader.origin.actor;
    return findPayment(this.parts, () => loadById(reader, this.byId, id), workspaceId, id);
  }

  @Teams(...EVERYBODY)
  @People(...EVERY_MEMBER)
  @Query(() => PaymentPage, { description: 'Payments, newest first; with updatedSince, oldest change first.' })
  payments(
    @Args(() => PaymentListArguments) { status, contractId, ...page }: PaymentListArguments,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Payment>> {
    const { workspaceId } = actor;
    return list(this.parts.em, payments, { workspaceId, where: { status, contractId }, ...page });
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work was done under.' })
  contract(@Root() payment: Payment): Contract {
    return { id: payment.contractId };
  }

  @FieldResolver(() => [Deduction], { description: 'Gross minus these is net.' })
  async deductions(@Root() { id }: Payment, @Reader() reader: SubgraphContext): Promise<Deduction[]> {
    return (await loadById(reader, this.deductionsOf, id)) ?? [];
  }

  @FieldResolver(() => [PayoutAttempt], { description: 'In the order they were made.' })
  async payoutAttempts(@Root() { id }: Payment, @Reader() reader: SubgraphContext): Promise<PayoutAttempt[]> {
    return (await loadById(reader, this.attemptsOf, id)) ?? [];
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'pending → cancelled, for good.' })
  cancelPayment(@PaymentId paymentId: string, @OperationOf() by: Operation): Promise<Payment> {
    return this.parts.commands.run(cancelPayment, { paymentId }, by.origin, by.operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'Lowers the net amount of a pending payment, at most to zero.' })
  addDeduction(
    @PaymentId paymentId: string,
    @Arg('name', () => String, { description: '1 to 100 characters after trimming.' }) name: string,
    @Arg('amount', () => Decimal, { description: "Above zero, in whole smallest units of the payment's currency." })
    amount: string,
    @OperationOf() by: Operation,
  ): Promise<Payment> {
    return this.parts.commands.run(addDeduction, { paymentId, name, amount }, by.origin, by.operationId);
  }

  @Teams('service', 'operations', 'finance')
  @Mutation(() => Payment, { description: 'Takes a deduction of a pending payment back.' })
  removeDeduction(
    @PaymentId paymentId: string,
    @Arg('deductionId', () => ID, { description: 'The id of the deduction.' }) deductionId: string,
    @OperationOf() by: Operation,
  ): Promise<Payment> {
    return this.parts.commands.run(removeDeduction, { paymentId, deductionId }, by.origin, by.operationId);
  }
}
