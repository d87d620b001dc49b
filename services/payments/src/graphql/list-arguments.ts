import 'reflect-metadata';
import type { PaymentStatus } from '@payroll/kernel';
import { Timestamp } from '@payroll/subgraph';
import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { InstructionStatus } from '../domain/instruction.js';
import type { LedgerAccountName } from '../domain/ledger.js';
import type { VerificationStatus } from '../domain/payee.js';
import { InstructionStatusEnum, LedgerAccountEnum, PaymentStatusEnum, VerificationStatusEnum } from './enums.js';

@ArgsType()
class PageArguments {
  @Field(() => Int, { defaultValue: 50, description: '1–100.' })
  limit!: number;

  @Field(() => String, { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' })
  cursor?: string | null;
}

@ArgsType()
class ChangeListArguments extends PageArguments {
  @Field(() => Timestamp, { nullable: true, description: 'Inclusive; turns the order to oldest change first.' })
  updatedSince?: string | null;
}

@ArgsType()
export class PaymentListArguments extends ChangeListArguments {
  @Field(() => PaymentStatusEnum, { nullable: true })
  status?: PaymentStatus | null;

  @Field(() => ID, { nullable: true })
  contractId?: string | null;
}

@ArgsType()
export class PayeeListArguments extends ChangeListArguments {
  @Field(() => VerificationStatusEnum, { nullable: true })
  verificationStatus?: VerificationStatus | null;

  @Field(() => ID, { nullable: true })
  workerId?: string | null;
}

@ArgsType()
export class LedgerEntryListArguments extends PageArguments {
  @Field(() => LedgerAccountEnum, { nullable: true })
  account?: LedgerAccountName | null;

  @Field(() => String, { nullable: true, description: 'ISO 4217, or USDC.' })
  currency?: string | null;

  @Field(() => ID, { nullable: true, description: 'What moved for this payment.' })
  paymentId?: string | null;
}

@ArgsType()
export class InstructionListArguments extends PageArguments {
  @Field(() => InstructionStatusEnum, { nullable: true })
  status?: InstructionStatus | null;
}
