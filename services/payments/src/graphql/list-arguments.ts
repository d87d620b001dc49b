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
  @Field(() => PaymentStatusEnum, { description: 'Only payments in this status.', nullable: true })
  status?: PaymentStatus | null;

  @Field(() => ID, { description: 'Only payments for work under this contract.', nullable: true })
  contractId?: string | null;
}

@ArgsType()
export class PayeeListArguments extends ChangeListArguments {
  @Field(() => VerificationStatusEnum, { description: 'Only payees in this status.', nullable: true })
  verificationStatus?: VerificationStatus | null;

  @Field(() => ID, { description: 'Only the payee of this worker.', nullable: true })
  workerId?: string | null;
}

@ArgsType()
export class LedgerEntryListArguments extends PageArguments {
  @Field(() => LedgerAccountEnum, { description: 'Only entries of this account.', nullable: true })
  account?: LedgerAccountName | null;

  @Field(() => String, { nullable: true, description: 'ISO 4217, or USDC.' })
  currency?: string | null;

  @Field(() => ID, { nullable: true, description: 'What moved for this payment.' })
  paymentId?: string | null;
}

@ArgsType()
export class InstructionListArguments extends PageArguments {
  @Field(() => InstructionStatusEnum, { description: 'Only instructions in this status.', nullable: true })
  status?: InstructionStatus | null;
}
