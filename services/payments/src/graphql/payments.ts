import { ROLES, TEAMS, type FailureReason, type PaymentMethod, type PaymentStatus, type Origin } from '@payroll/kernel';
import {
  byKeys,
  Calendar,
  Decimal,
  field,
  FollowedPageArguments,
  IdArg,
  loadById,
  type Money,
  MutationCtx,
  NULLABLE,
  pageType,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
  Timestamp,
  VisibleTo,
} from '@payroll/service';
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
import type { Page } from '@payroll/store';
import type { AttemptStatus, PayoutAlarm } from '../domain/payout.js';
import {
  AttemptStatusEnum,
  FailureReasonEnum,
  PaymentHoldEnum,
  PaymentStatusEnum,
  PayoutAlarmEnum,
  PayoutMethodEnum,
} from './enums.js';
import { retryPayment } from '../commands/pay-manually.js';
import { addDeduction, cancelPayment, removeDeduction } from '../commands/payment.js';
import { initiatePayout } from '../payouts/instruct.js';
import { attemptsOfPayments, deductionsOfPayments, findPayment, listPayments } from '../queries/payments.js';
import type { PaymentHold } from '../domain/payment.js';
import { holdsOfPayments, obstaclesOfPayments, waitsOfPayments } from '../queries/holds.js';
import { payments } from '../store/views.js';

@VisibleTo({ teams: TEAMS, people: ROLES })
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
  @field.boolean('Whether it is paid by itself on its day, or waits for somebody to pay it by hand.')
  autoPayEnabled!: boolean;
  @field.time('When its processing began, the last time it did.', NULLABLE) processedAt!: string | null;
  @field.time('When the provider settled it; null until then.', NULLABLE) completedAt!: string | null;
  @field.of(() => FailureReasonEnum, 'Of a failed payment.', NULLABLE) failureReason!: FailureReason | null;
  @field.time('When it was created, just after its work was approved.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: "A part of a payment's gross amount that the worker does not get." })
class Deduction {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The payment it is taken from.') paymentId!: string;
  @field.text('What it is for, 1–100 characters.') name!: string;
  @field.money('In the currency of the payment, above zero.') amount!: Money;
  @field.time('When it was added.') createdAt!: string;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'One try to pay a payment out. At most one of a payment settles.' })
class PayoutAttempt {
  @field.id('The payment it tries to send.') paymentId!: string;
  @field.int('From 1; a new one only after the provider has declined the one before.') number!: number;
  @field.of(() => AttemptStatusEnum, 'How far it is.') status!: AttemptStatus;
  @field.id('Where the money goes.') payeeId!: string;
  @field.of(() => PayoutMethodEnum, 'How it is sent.') payoutMethod!: PaymentMethod;
  @field.money('The net amount of the payment when it was tried.') amount!: Money;
  @VisibleTo({ teams: ['operations', 'finance'], people: [] })
  @field.text("The provider's own name for it, once it has answered.", NULLABLE)
  providerReference!: string | null;
  @field.money('What the worker got, also where the provider paid another amount; null until it is settled.', NULLABLE)
  paidAmount!: Money | null;
  @VisibleTo({ people: [] })
  @field.of(() => ReportedPayout, 'What the provider said of it last; null before it has answered.', NULLABLE)
  reported!: ReportedPayout | null;
  @VisibleTo({ people: [] })
  @field.of(() => PayoutAlarmEnum, 'Why it waits for a person; docs/runbook.md.', NULLABLE)
  alarm!: PayoutAlarm | null;
  @field.time('When it was prepared, before the provider was asked.') createdAt!: string;
  @field.time('When its status changed last.') updatedAt!: string;
}

@VisibleTo({ teams: TERMS_READERS, people: [] })
@ObjectType({
  description: 'A payout as the provider has it, which may differ from what was ordered here (PayoutAlarm differs).',
})
class ReportedPayout {
  @field.of(() => AttemptStatusEnum, 'submitted, settled or declined.') status!: AttemptStatus;
  @field.money('What it says that it pays or paid.') amount!: Money;
  @field.boolean('Whether it names the method and destination that were ordered.') isToSameDestination!: boolean;
}

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
class Contract {
  @field.id('Its id, a UUID.') id!: string;
}

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The timesheet a payment is for; owned by the review service.' })
class Timesheet {
  @field.id('Its id, a UUID.') id!: string;
}

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The milestone a payment is for; owned by the review service.' })
class Milestone {
  @field.id('Its id, a UUID.') id!: string;
}

const PaymentPage = pageType(Payment, 'payments', TEAMS);

@ArgsType()
class PaymentListArguments extends FollowedPageArguments {
  @field.of(() => PaymentStatusEnum, 'Only payments in this status.', NULLABLE) status?: PaymentStatus | null;
  @field.id('Only payments for work under this contract.', NULLABLE) contractId?: string | null;
  @field.id('Only payments for work under the contracts of this worker.', NULLABLE) workerId?: string | null;
  @field.day('Only payments that are due on this day or later; those due at once have no day.', NULLABLE)
  scheduledFrom?: string | null;
  @field.day('Only payments that are due on this day or earlier.', NULLABLE) scheduledTo?: string | null;
  @field.boolean('Sorts by creation, oldest first.', { defaultValue: false }) oldestFirst!: boolean;
}

const SeenPayment = Arg('expectedVersion', () => String, {
  description: 'The `updatedAt` of the payment that was looked at; another one is refused as stale.',
});

export const PaymentId = Arg('paymentId', () => ID, { description: 'The id of the payment.' });

@Resolver(() => Payment)
export class PaymentResolver {
  readonly byId;
  private readonly deductionsOf;
  private readonly attemptsOf;
  private readonly obstaclesOf;
  private readonly holdsOf;
  private readonly waitsOf;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'learn' | 'deployment'>) {
    const calendar = new Calendar(parts);
    this.byId = byKeys(parts.em, payments);
    this.deductionsOf = deductionsOfPayments(parts.em);
    this.attemptsOf = attemptsOfPayments(parts.em);
    this.obstaclesOf = obstaclesOfPayments(parts.em, calendar);
    this.holdsOf = holdsOfPayments(parts.em);
    this.waitsOf = waitsOfPayments(parts.em, calendar);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => Payment, { nullable: true, description: 'One payment; null when there is none in this workspace.' })
  payment(@IdArg('payment') id: string, @ReadCtx() reader: SubgraphContext): Promise<Payment | null> {
    const { workspaceId } = reader.origin.actor;
    return findPayment(this.parts, () => loadById(reader, this.byId, id), workspaceId, id);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => PaymentPage, { description: 'Payments, newest first; with updatedSince, oldest change first.' })
  payments(
    @Args(() => PaymentListArguments) filters: PaymentListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Payment>> {
    return listPayments(this.parts.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Contract, { description: 'The contract that the work was done under.' })
  contract(@Root() payment: Payment): Contract {
    return { id: payment.contractId };
  }

  @FieldResolver(() => Timesheet, {
    ...NULLABLE,
    description: 'The timesheet it is for; null when it is for a milestone.',
  })
  timesheet(@Root() { timesheetId }: Payment): Timesheet | null {
    return timesheetId === null ? null : { id: timesheetId };
  }

  @FieldResolver(() => Milestone, {
    ...NULLABLE,
    description: 'The milestone it is for; null when it is for a timesheet.',
  })
  milestone(@Root() { milestoneId }: Payment): Milestone | null {
    return milestoneId === null ? null : { id: milestoneId };
  }

  @FieldResolver(() => [Deduction], { description: 'Gross minus these is net.' })
  async deductions(@Root() { id }: Payment, @ReadCtx() reader: SubgraphContext): Promise<Deduction[]> {
    return (await loadById(reader, this.deductionsOf, id)) ?? [];
  }

  @FieldResolver(() => [PayoutAttempt], { description: 'In the order they were made.' })
  async payoutAttempts(@Root() { id }: Payment, @ReadCtx() reader: SubgraphContext): Promise<PayoutAttempt[]> {
    return (await loadById(reader, this.attemptsOf, id)) ?? [];
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => FailureReasonEnum, {
    ...NULLABLE,
    description: 'Why its payout would fail if it began now; null where it would go out, or none can begin.',
  })
  async obstacle(@Root() { id }: Payment, @ReadCtx() reader: SubgraphContext): Promise<FailureReason | null> {
    return await loadById(reader, this.obstaclesOf, id);
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => PaymentHoldEnum, {
    ...NULLABLE,
    description: 'What two people of finance have to end first; null where nothing holds it.',
  })
  async heldBy(@Root() { id }: Payment, @ReadCtx() reader: SubgraphContext): Promise<PaymentHold | null> {
    return await loadById(reader, this.holdsOf, id);
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => Timestamp, {
    ...NULLABLE,
    description: 'Until when it waits because the payout details of its worker have changed; null if it does not.',
  })
  async waitsUntil(@Root() { id }: Payment, @ReadCtx() reader: SubgraphContext): Promise<string | null> {
    return await loadById(reader, this.waitsOf, id);
  }

  @VisibleTo({ teams: ['service', 'operations', 'finance'] })
  @Mutation(() => Payment, {
    description:
      'pending → cancelled, for good. Refused while an order that no payment here has made may have paid it.',
  })
  cancelPayment(@PaymentId paymentId: string, @MutationCtx() origin: Origin): Promise<Payment> {
    return this.parts.commands.run(cancelPayment, { paymentId }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations', 'finance'] })
  @Mutation(() => Payment, { description: 'Lowers the net amount of a pending payment, at most to zero.' })
  addDeduction(
    @PaymentId paymentId: string,
    @Arg('name', () => String, { description: '1 to 100 characters after trimming.' }) name: string,
    @Arg('amount', () => Decimal, { description: "Above zero, in whole smallest units of the payment's currency." })
    amount: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payment> {
    return this.parts.commands.run(addDeduction, { paymentId, name, amount }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations', 'finance'] })
  @Mutation(() => Payment, { description: 'Takes a deduction of a pending payment back.' })
  removeDeduction(
    @PaymentId paymentId: string,
    @Arg('deductionId', () => ID, { description: 'The id of the deduction.' }) deductionId: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payment> {
    return this.parts.commands.run(removeDeduction, { paymentId, deductionId }, origin);
  }

  @VisibleTo({ people: ['admin'] })
  @Mutation(() => Payment, {
    description: 'By an admin of the workspace, in person: failed → pending. It is then processed like any other.',
  })
  retryPayment(
    @PaymentId paymentId: string,
    @SeenPayment expectedVersion: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payment> {
    return this.parts.commands.run(retryPayment, { paymentId, expectedVersion }, origin);
  }

  @VisibleTo({ people: ['admin'] })
  @Mutation(() => Payment, {
    description:
      'By an admin of the workspace, in person: a pending payment is paid now, due or not. It is then processing, or failed with the reason.',
  })
  initiatePayout(
    @PaymentId paymentId: string,
    @SeenPayment expectedVersion: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payment> {
    return initiatePayout(this.parts, { paymentId, expectedVersion }, origin);
  }
}
