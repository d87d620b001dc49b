import 'reflect-metadata';
import { CONTRACT_STATUSES, type ContractStatus } from '@payroll/kernel';
import { Timestamp } from '@payroll/subgraph';
import { ArgsType, Field, Int } from 'type-graphql';
import { enumOf } from './enums.js';

@ArgsType()
export class ContractListArguments {
  @Field(() => enumOf(CONTRACT_STATUSES), { description: 'Only contracts in this status.', nullable: true })
  status?: ContractStatus | null;

  @Field(() => Timestamp, { nullable: true, description: 'Inclusive; turns the order to oldest change first.' })
  updatedSince?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether tombstones of deleted contracts are listed too.' })
  includeDeleted!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'The reference the same principal gave when creating the draft.',
  })
  externalReference?: string | null;

  @Field(() => Int, { defaultValue: 50, description: '1–100.' })
  limit!: number;

  @Field(() => String, { nullable: true, description: 'The nextCursor of the previous page, other filters unchanged.' })
  cursor?: string | null;
}
