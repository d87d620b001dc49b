import 'reflect-metadata';
import { Money, PERSONS_READERS, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type * as deduction from '../domain/deduction.js';
import type * as domain from '../domain/payee.js';
import type * as payout from '../domain/payout.js';
import { AttemptStatusEnum, PayoutMethodEnum, VerificationStatusEnum } from './enums.js';

@Teams(...TERMS_READERS)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Where the money of a worker goes. Payouts need a verified one.' })
export class Payee implements domain.Payee {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  workerId!: string;

  @Field(() => PayoutMethodEnum)
  payoutMethod!: domain.PayoutMethod;

  @Teams('service', 'operations', 'finance')
  @Field(() => String, { description: 'The last four characters; the whole destination is shown to nobody.' })
  destinationEnding!: string;

  @Field(() => VerificationStatusEnum)
  verificationStatus!: domain.VerificationStatus;

  @Field(() => String, { nullable: true, description: 'Of a rejected payee.' })
  rejectionReason!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
  updatedAt!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'A page of payees.' })
export class PayeePage {
  @Field(() => [Payee])
  nodes!: Payee[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Teams(...PERSONS_READERS)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who is paid; owned by the contracts service.' })
export class Worker {
  @Field(() => ID)
  id!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: "A part of a payment's gross amount that the worker does not get." })
export class Deduction implements deduction.Deduction {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  paymentId!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Money)
  amount!: Money;

  @Field(() => Timestamp)
  createdAt!: string;
}

@Teams(...TERMS_READERS)
@ObjectType({ description: 'One try to pay a payment out. At most one of a payment settles.' })
export class PayoutAttempt implements payout.PayoutAttempt {
  @Field(() => ID)
  paymentId!: string;

  @Field(() => Int, { description: 'From 1; a new one only after the provider has declined the one before.' })
  number!: number;

  @Field(() => AttemptStatusEnum)
  status!: payout.AttemptStatus;

  @Field(() => ID)
  payeeId!: string;

  @Field(() => PayoutMethodEnum)
  payoutMethod!: domain.PayoutMethod;

  @Field(() => Money)
  amount!: Money;

  @Teams('operations', 'finance')
  @Field(() => String, { nullable: true, description: "The provider's own name for it, once it has answered." })
  providerReference!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
  updatedAt!: string;
}
