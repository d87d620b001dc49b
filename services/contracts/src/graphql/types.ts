import 'reflect-metadata';
import type { ContractStatus, ContractType, EmploymentType } from '@payroll/kernel';
import { CalendarDate, EVERYBODY, PERSONS_READERS, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/contract.js';
import { Creator } from './creator-types.js';
import { ContractStatusEnum, ContractTypeEnum, EmploymentTypeEnum } from './enums.js';

@Teams(...PERSONS_READERS)
@ObjectType({ description: 'Who works under a contract; both fields are null until someone is named.' })
export class ContractWorker {
  @Field(() => ID, { nullable: true })
  id!: string | null;

  @Field(() => String, { nullable: true })
  name!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'An agreement with a worker, from its draft to its end.' })
export class Contract implements domain.Contract {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  title!: string;

  @Field(() => EmploymentTypeEnum)
  employmentType!: EmploymentType;

  @Field(() => ContractTypeEnum)
  contractType!: ContractType;

  @Field(() => ContractStatusEnum)
  status!: ContractStatus;

  @Field(() => ContractWorker)
  worker!: ContractWorker;

  @Field(() => CalendarDate, { nullable: true })
  startDate!: string | null;

  @Field(() => CalendarDate, { nullable: true })
  endDate!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'Set for a deleted contract, whose tombstone this is.' })
  deletedAt!: string | null;

  @Teams(...TERMS_READERS)
  @Field(() => Creator, { nullable: true, description: 'For creator contracts.' })
  creator!: Creator | null;
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of contracts.' })
export class ContractPage {
  @Field(() => [Contract])
  nodes!: Contract[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}
