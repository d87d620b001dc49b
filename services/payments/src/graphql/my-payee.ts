import { type PaymentMethod, requireWorker } from '@payroll/kernel';
import {
  Calendar,
  field,
  NULLABLE,
  type MutationContext,
  MutationCtx,
  VisibleToPeople,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import { Arg, Ctx, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { enterMyPayee, type PayeeRules } from '../commands/payees.js';
import type { VerificationStatus } from '../domain/payee.js';
import { findMyPayee } from '../queries/my-payments.js';
import { PayoutMethodEnum, VerificationStatusEnum } from './enums.js';

@VisibleToPeople('worker')
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

  @VisibleToPeople('worker')
  @Query(() => MyPayee, { nullable: true, description: 'My payout details; null if there are none.' })
  myPayee(@Ctx() { origin }: SubgraphContext): Promise<MyPayee | null> {
    return findMyPayee(this.parts.em, this.calendar, requireWorker(origin.actor));
  }

  @VisibleToPeople('worker')
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
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<MyPayee> {
    const input = { holder, payoutMethod, destination, expectedVersion };
    await this.parts.commands.run(enterMyPayee(this.parts), input, origin, operationId);
    return (await findMyPayee(this.parts.em, this.calendar, requireWorker(origin.actor)))!;
  }
}
