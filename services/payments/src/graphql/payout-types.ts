import 'reflect-metadata';
import { Money, PERSONS_READERS, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type * as deduction from '../domain/payment.js';
import type * as domain from '../domain/payee.js';
import type * as payout from '../domain/payout.js';
import { AttemptStatusEnum, PayoutAlarmEnum, PayoutMethodEnum, VerificationStatusEnum } from './enums.js';

@Teams(...TERMS_READERS)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Where the money of a worker goes. Payouts need a verified one.' })
export class Payee implements domain.Payee {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The worker whose money goes there.' })
  workerId!: string;

  @Field(() => PayoutMethodEnum, { description: 'How it is sent.' })
  payoutMethod!: domain.PayoutMethod;

  @Teams('service', 'operations', 'finance')
  @Field(() => String, { description: 'The last four characters; the whole destination is shown to nobody.' })
  destinationEnding!: string;

  @Field(() => VerificationStatusEnum, { description: 'Whether it has been checked. Only a verified payee is paid.' })
  verificationStatus!: domain.VerificationStatus;

  @Field(() => String, { nullable: true, description: 'Of a rejected payee.' })
  rejectionReason!: string | null;

  @Field(() => String, { description: 'Another one whenever anything about it has changed; who verifies it names it.' })
  version!: string;

  @Teams('operations', 'finance')
  @Field(() => String, {
    nullable: true,
    description:
      'Who entered where the money goes: a person by e-mail address, or `application`. They cannot verify it.',
  })
  changedBy!: string | null;

  @Teams('operations', 'finance')
  @Field(() => String, { nullable: true, description: 'The second person, by e-mail address.' })
  verifiedBy!: string | null;

  @Field(() => Timestamp, { description: 'When it was registered.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'A page of payees.' })
export class PayeePage {
  @Field(() => [Payee], { description: 'What is on this page.' })
  nodes!: Payee[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams(...PERSONS_READERS)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who is paid; owned by the contracts service.' })
export class Worker {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: "A part of a payment's gross amount that the worker does not get." })
export class Deduction implements deduction.Deduction {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The payment it is taken from.' })
  paymentId!: string;

  @Field(() => String, { description: 'What it is for, 1–100 characters.' })
  name!: string;

  @Field(() => Money, { description: 'In the currency of the payment, above zero.' })
  amount!: Money;

  @Field(() => Timestamp, { description: 'When it was added.' })
  createdAt!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'One try to pay a payment out. At most one of a payment settles.' })
export class PayoutAttempt implements payout.PayoutAttempt {
  @Field(() => ID, { description: 'The payment it tries to send.' })
  paymentId!: string;

  @Field(() => Int, { description: 'From 1; a new one only after the provider has declined the one before.' })
  number!: number;

  @Field(() => AttemptStatusEnum, { description: 'What has become of it.' })
  status!: payout.AttemptStatus;

  @Field(() => ID, { description: 'Where the money goes.' })
  payeeId!: string;

  @Field(() => PayoutMethodEnum, { description: 'How it is sent.' })
  payoutMethod!: domain.PayoutMethod;

  @Field(() => Money, { description: 'The net amount of the payment when it was tried.' })
  amount!: Money;

  @Teams('operations', 'finance')
  @Field(() => String, { nullable: true, description: "The provider's own name for it, once it has answered." })
  providerReference!: string | null;

  @Field(() => PayoutAlarmEnum, { nullable: true, description: 'Why it waits for a person; docs/runbook.md.' })
  alarm!: payout.PayoutAlarm | null;

  @Field(() => Timestamp, { description: 'When it was prepared, before the provider was asked.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'When its status changed last.' })
  updatedAt!: string;
}
