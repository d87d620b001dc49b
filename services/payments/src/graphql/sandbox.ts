import { ROLES, type Origin } from '@payroll/kernel';
import {
  DAYS_AHEAD,
  Decimal,
  enumOf,
  IdArg,
  Money,
  moveCalendarInSandbox,
  MutationCtx,
  VisibleTo,
  readDaysAhead,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import { Arg, Int, Mutation, Query, Resolver } from 'type-graphql';
import {
  finishPayoutInSandbox,
  fundInSandbox,
  makeDueInSandbox,
  type SimulatedOutcome,
  verifyPayeeInSandbox,
} from '../commands/sandbox.js';
import type { SandboxControl } from '../payouts/http-provider.js';
import { Payee } from './payees.js';
import { Payment, PaymentId } from './payments.js';

const OutcomeEnum = enumOf('SandboxOutcome', ['settled', 'declined'], 'What becomes of a payout.');

/** For admins, and integration tests, in test deployments; denied to everyone in a live one. */
@Resolver()
export class SandboxResolver {
  constructor(
    private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'deployment'>,
    private readonly control: SandboxControl,
  ) {}

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Money, { description: 'In a test deployment: money arrives, and can be spent.' })
  sandboxFund(
    @Arg('amount', () => Decimal, { description: 'Above zero, in whole smallest units of the currency.' })
    amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @MutationCtx() origin: Origin,
  ): Promise<Money> {
    return this.parts.commands.run(fundInSandbox.in(this.parts.deployment), { amount, currency }, origin);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Payee, { description: 'In a test deployment: unverified → verified, without a second person.' })
  sandboxVerifyPayee(
    @IdArg('payee') id: string,
    @Arg('expectedVersion', () => String, { description: 'The version of the payee that was looked at.' })
    expectedVersion: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payee> {
    return this.parts.commands.run(verifyPayeeInSandbox.in(this.parts.deployment), { id, expectedVersion }, origin);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Payment, { description: 'In a test deployment: a pending payment is due today.' })
  sandboxMakeDue(@PaymentId paymentId: string, @MutationCtx() origin: Origin): Promise<Payment> {
    return this.parts.commands.run(makeDueInSandbox.in(this.parts.deployment), { paymentId }, origin);
  }

  @VisibleTo({ people: ROLES, teams: TERMS_READERS })
  @Query(() => Int, { description: 'In a test deployment: how many days the calendar of payments is ahead.' })
  sandboxDaysAhead(@ReadCtx() { origin: { actor } }: SubgraphContext): Promise<number> {
    return readDaysAhead(this.parts, actor.workspaceId);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Int, {
    description: 'In a test deployment: what is due by then is paid. Times that are recorded stay real.',
  })
  sandboxMovePaymentCalendar(
    @Arg('daysAhead', () => Int, { description: DAYS_AHEAD }) daysAhead: number,
    @MutationCtx() origin: Origin,
  ): Promise<number> {
    return this.parts.commands.run(moveCalendarInSandbox.in(this.parts.deployment), { daysAhead }, origin);
  }

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Payment, {
    description:
      'In a test deployment: the provider settles or declines a payout under way, and tells so a moment later.',
  })
  async sandboxFinishPayout(
    @PaymentId paymentId: string,
    @Arg('outcome', () => OutcomeEnum, { description: 'What the provider is to say.' }) outcome: SimulatedOutcome,
    @MutationCtx() origin: Origin,
  ): Promise<Payment> {
    const { commands, deployment } = this.parts;
    const { payment, idempotencyKey } = await commands.run(
      finishPayoutInSandbox.in(deployment),
      { paymentId, outcome },
      origin,
    );
    // Also called for a repeated request; a finished order does not change.
    await this.control(idempotencyKey, outcome);
    return payment;
  }
}
