import type { PaymentMethod, PaymentStatus } from '@payroll/kernel';
import {
  ALL_TEAMS,
  ALL_ROLES,
  field,
  FollowedPageArguments,
  type Money,
  NULLABLE,
  VisibleToPeople,
  VisibleToTeams,
  TERMS_READERS,
} from '@payroll/service';
import { ArgsType, Directive, ObjectType } from 'type-graphql';
import type { AttemptStatus, PayoutAlarm } from '../domain/payout.js';
import { AttemptStatusEnum, PaymentStatusEnum, PayoutAlarmEnum, PayoutMethodEnum } from './enums.js';

@VisibleToTeams(...ALL_TEAMS)
@VisibleToPeople(...ALL_ROLES)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The contract a payment is made under; owned by the contracts service.' })
export class Contract {
  @field.id('Its id, a UUID.') id!: string;
}

@VisibleToTeams(...TERMS_READERS)
@VisibleToPeople(...ALL_ROLES)
@ObjectType({ description: "A part of a payment's gross amount that the worker does not get." })
export class Deduction {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The payment it is taken from.') paymentId!: string;
  @field.text('What it is for, 1–100 characters.') name!: string;
  @field.money('In the currency of the payment, above zero.') amount!: Money;
  @field.time('When it was added.') createdAt!: string;
}

@VisibleToTeams(...TERMS_READERS)
@VisibleToPeople()
@ObjectType({
  description: 'A payout as the provider has it, which may differ from what was ordered here (PayoutAlarm differs).',
})
export class ReportedPayout {
  @field.of(() => AttemptStatusEnum, 'submitted, settled or declined.') status!: AttemptStatus;
  @field.money('What it says that it pays or paid.') amount!: Money;
  @field.boolean('Whether it names the method and destination that were ordered.') isToSameDestination!: boolean;
}

@VisibleToTeams(...TERMS_READERS)
@VisibleToPeople(...ALL_ROLES)
@ObjectType({ description: 'One try to pay a payment out. At most one of a payment settles.' })
export class PayoutAttempt {
  @field.id('The payment it tries to send.') paymentId!: string;
  @field.int('From 1; a new one only after the provider has declined the one before.') number!: number;
  @field.of(() => AttemptStatusEnum, 'How far it is.') status!: AttemptStatus;
  @field.id('Where the money goes.') payeeId!: string;
  @field.of(() => PayoutMethodEnum, 'How it is sent.') payoutMethod!: PaymentMethod;
  @field.money('The net amount of the payment when it was tried.') amount!: Money;
  @VisibleToTeams('operations', 'finance')
  @VisibleToPeople()
  @field.text("The provider's own name for it, once it has answered.", NULLABLE)
  providerReference!: string | null;
  @field.money('What the worker got, also where the provider paid another amount; null until it is settled.', NULLABLE)
  paidAmount!: Money | null;
  @VisibleToPeople()
  @field.of(() => ReportedPayout, 'What the provider said of it last; null before it has answered.', NULLABLE)
  reported!: ReportedPayout | null;
  @VisibleToPeople()
  @field.of(() => PayoutAlarmEnum, 'Why it waits for a person; docs/runbook.md.', NULLABLE)
  alarm!: PayoutAlarm | null;
  @field.time('When it was prepared, before the provider was asked.') createdAt!: string;
  @field.time('When its status changed last.') updatedAt!: string;
}

@ArgsType()
export class PaymentListArguments extends FollowedPageArguments {
  @field.of(() => PaymentStatusEnum, 'Only payments in this status.', NULLABLE) status?: PaymentStatus | null;
  @field.id('Only payments for work under this contract.', NULLABLE) contractId?: string | null;
  @field.id('Only payments for work under the contracts of this worker.', NULLABLE) workerId?: string | null;
  @field.day('Only payments that are due on this day or later; those due at once have no day.', NULLABLE)
  scheduledFrom?: string | null;
  @field.day('Only payments that are due on this day or earlier.', NULLABLE) scheduledTo?: string | null;
  @field.boolean('Sorts by creation, oldest first.', { defaultValue: false }) oldestFirst!: boolean;
}
