import { type PaymentMethod, type PaymentStatus, requireWorker, type Origin } from '@payroll/kernel';
import {
  Calendar,
  enumOf,
  field,
  IdArg,
  type Money,
  MutationCtx,
  NULLABLE,
  PageArguments,
  type ServiceDependencies,
  type SubgraphContext,
  VisibleTo,
} from '@payroll/service';
import { Arg, Args, ArgsType, Ctx, FieldResolver, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { MY_OBSTACLES, type MyObstacle } from '../domain/payment.js';
import { findMyPayee, findMyPayment, listMyPayments, myDeductions } from '../queries/my-payments.js';
import { PaymentStatusEnum, PayoutMethodEnum, VerificationStatusEnum } from './enums.js';
import { enterMyPayee, type PayeeRules } from '../commands/payees.js';
import type { VerificationStatus } from '../domain/payee.js';

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'My payout details. Payouts need verified ones.' })
class MyPayee {
  @field.text('The name that the account is in; null if not given.', NULLABLE) holder!: string | null;
  @field.of(() => PayoutMethodEnum, 'How money is sent to me.') payoutMethod!: PaymentMethod;
  @field.text('The last four characters of the account.') destinationEnding!: string;
  @field.of(() => VerificationStatusEnum, 'Whether the account has been verified as mine.')
  verificationStatus!: VerificationStatus;
  @field.time('Changed lately: nothing is paid there before; null where there is no such hold.', NULLABLE)
  heldUntil!: string | null;
  @field.time('When I stopped the last change, with the link mailed to me; null if I did not.', NULLABLE)
  stoppedAt!: string | null;
  @field.text('Changes with every change; sent back to change the details.') version!: string;
}

/** A worker's own payout details: the statements take workspace and worker from the token. */
@Resolver(() => MyPayee)
export class MyPayeeResolver {
  private readonly calendar: Calendar;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'deployment'> & PayeeRules) {
    this.calendar = new Calendar(parts);
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyPayee, { nullable: true, description: 'My payout details; null if there are none.' })
  myPayee(@Ctx() { origin }: SubgraphContext): Promise<MyPayee | null> {
    return findMyPayee(this.parts.em, this.calendar, requireWorker(origin.actor));
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyPayee, {
    description: 'I enter my payout details, or change them. A payout under way stays as it is.',
  })
  async enterMyPayee(
    @Arg('holder', () => String, { description: 'The name that the account is in; 1–140 characters.' }) holder: string,
    @Arg('payoutMethod', () => PayoutMethodEnum, { description: 'How the money is sent.' }) payoutMethod: PaymentMethod,
    @Arg('destination', () => String, {
      description: 'The account, in a form that the method can pay to, such as a valid IBAN; at most 254 characters.',
    })
    destination: string,
    @Arg('expectedVersion', () => String, {
      ...NULLABLE,
      description: 'The version of the details that were seen; null if there were none.',
    })
    expectedVersion: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<MyPayee> {
    const input = { holder, payoutMethod, destination, expectedVersion };
    await this.parts.commands.run(enterMyPayee(this.parts), input, origin);
    return (await findMyPayee(this.parts.em, this.calendar, requireWorker(origin.actor)))!;
  }
}

const MyObstacleEnum = enumOf(
  'MyPaymentObstacle',
  MY_OBSTACLES,
  'The next step of a payment. payee_missing, payee_rejected: I enter payout details; payee_unverified: they are being verified; provider_declined: I check them; business: the business has to do something first; finance: our finance team looks at it.',
);

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'A part of the gross amount that I do not get.' })
class MyDeduction {
  @field.text('Its purpose.') name!: string;
  @field.money('In the currency of the payment, above zero.') amount!: Money;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'Money owed to the worker who asks. Only a completed payment has been paid out.' })
class MyPayment {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The contract that the work was done under.') contractId!: string;
  @field.id('The timesheet it is for; null when it is for a milestone.', NULLABLE) timesheetId!: string | null;
  @field.id('The milestone it is for; null when it is for a timesheet.', NULLABLE) milestoneId!: string | null;
  @field.of(() => PaymentStatusEnum, 'How far it is.') status!: PaymentStatus;
  @field.money('What was approved, before deductions.') grossAmount!: Money;
  @field.money('What I get after deductions.') netAmount!: Money;
  @field.day('The UTC day it is due; null when it is due at once.', NULLABLE) scheduledDate!: string | null;
  @field.boolean('Whether that day has come.') isDue!: boolean;
  @field.time('Until when it waits because my payout details have changed; null if it does not.', NULLABLE)
  waitsUntil!: string | null;
  @field.time('When the provider settled it; null until then.', NULLABLE) completedAt!: string | null;
  @field.of(() => MyObstacleEnum, 'The next step; null if it goes on by itself.', NULLABLE)
  obstacle!: MyObstacle | null;
  @field.of(() => PayoutMethodEnum, 'How it was sent the last time; null if it was not.', NULLABLE)
  sentBy!: PaymentMethod | null;
  @field.text('The last four characters of the account that it was sent to.', NULLABLE) sentToEnding!: string | null;
  @field.money('What I got, also where the provider paid another amount; null until then.', NULLABLE)
  paidAmount!: Money | null;
  @field.time('When it was created, just after the work was approved.') createdAt!: string;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'A page of my payments.' })
class MyPaymentPage {
  @field.of(() => [MyPayment], 'The payments of this page.') nodes!: MyPayment[];
  @field.text('Send it as cursor to get the next page; null on the last.', NULLABLE) nextCursor!: string | null;
}

@ArgsType()
class MyPaymentArguments extends PageArguments {
  @field.boolean('Only payments that are pending or processing.', { defaultValue: false }) isOpen!: boolean;
  @field.boolean('Only payments that are pending, processing or failed.', { defaultValue: false }) isOwed!: boolean;
}

/** A worker's own payments: the statements take workspace and worker from the token. */
@Resolver(() => MyPayment)
export class MyPaymentResolver {
  private readonly calendar: Calendar;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'deployment'>) {
    this.calendar = new Calendar(parts);
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyPaymentPage, { description: 'My payments, newest first.' })
  myPayments(
    @Args(() => MyPaymentArguments) page: MyPaymentArguments,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<MyPaymentPage> {
    return listMyPayments(this.parts.em, this.calendar, requireWorker(origin.actor), page);
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyPayment, { nullable: true, description: 'One of my payments.' })
  myPayment(@IdArg('payment') id: string, @Ctx() { origin }: SubgraphContext): Promise<MyPayment | null> {
    return findMyPayment(this.parts.em, this.calendar, requireWorker(origin.actor), id);
  }

  @FieldResolver(() => [MyDeduction], { description: 'Gross minus these is net.' })
  deductions(@Root() { id }: MyPayment, @Ctx() { origin }: SubgraphContext): Promise<MyDeduction[]> {
    return myDeductions(this.parts.em, requireWorker(origin.actor), id);
  }
}
