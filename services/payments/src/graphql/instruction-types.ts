import 'reflect-metadata';
import { Money, Teams, Timestamp } from '@payroll/subgraph';
import { Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/instruction.js';
import { InstructionKindEnum, InstructionStatusEnum } from './enums.js';

@Teams('finance')
@ObjectType({ description: 'An order to move money. Nothing moves before a second person has countersigned it.' })
export class Instruction implements domain.Instruction {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => InstructionKindEnum, {
    description: 'What is to move: funding puts money in, payout and retry send a payment.',
  })
  kind!: domain.InstructionKind;

  @Field(() => InstructionStatusEnum, { description: 'Whether it waits, was decided, or is over.' })
  status!: domain.InstructionStatus;

  @Field(() => Money, { description: 'Of a payment: its net when it was requested.' })
  amount!: Money;

  @Field(() => ID, { description: 'The payment to send; null for a funding.', nullable: true })
  paymentId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Where the money would go; null while the worker has no payee.' })
  payeeId!: string | null;

  @Field(() => String, { nullable: true, description: 'Of a funding: how its sender named the transfer.' })
  reference!: string | null;

  @Field(() => String, { description: 'A person of finance, by e-mail address.' })
  requestedBy!: string;

  @Field(() => String, { nullable: true, description: 'Another one; the same one where it was withdrawn.' })
  decidedBy!: string | null;

  @Field(() => Timestamp, { description: 'When the first person requested it.' })
  requestedAt!: string;

  @Field(() => Timestamp, {
    description: 'When it was countersigned, declined or withdrawn; null until then.',
    nullable: true,
  })
  decidedAt!: string | null;

  @Field(() => Timestamp, { description: 'From then on nobody can decide it.' })
  expiresAt!: string;
}

@Teams('finance')
@ObjectType({ description: 'A page of instructions.' })
export class InstructionPage {
  @Field(() => [Instruction], { description: 'What is on this page.' })
  nodes!: Instruction[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}
