import 'reflect-metadata';
import { Money, Teams, Timestamp } from '@payroll/subgraph';
import { Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/instruction.js';
import { InstructionKindEnum, InstructionStatusEnum } from './enums.js';

@Teams('finance')
@ObjectType({ description: 'An order to move money. Nothing moves before a second person has countersigned it.' })
export class Instruction implements domain.Instruction {
  @Field(() => ID)
  id!: string;

  @Field(() => InstructionKindEnum)
  kind!: domain.InstructionKind;

  @Field(() => InstructionStatusEnum)
  status!: domain.InstructionStatus;

  @Field(() => Money, { description: 'Of a payment: its net when it was requested.' })
  amount!: Money;

  @Field(() => ID, { nullable: true })
  paymentId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Where the money would go; null while the worker has no payee.' })
  payeeId!: string | null;

  @Field(() => String, { nullable: true, description: 'Of a funding: how its sender named the transfer.' })
  reference!: string | null;

  @Field(() => String, { description: 'A person of finance, by e-mail address.' })
  requestedBy!: string;

  @Field(() => String, { nullable: true, description: 'Another one; the same one where it was withdrawn.' })
  decidedBy!: string | null;

  @Field(() => Timestamp)
  requestedAt!: string;

  @Field(() => Timestamp, { nullable: true })
  decidedAt!: string | null;

  @Field(() => Timestamp, { description: 'From then on nobody can decide it.' })
  expiresAt!: string;
}

@Teams('finance')
@ObjectType({ description: 'A page of instructions.' })
export class InstructionPage {
  @Field(() => [Instruction])
  nodes!: Instruction[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}
