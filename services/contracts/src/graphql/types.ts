import 'reflect-metadata';
import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPES,
  type ContractStatus,
  type ContractType,
  type EmploymentType,
} from '@payroll/kernel';
import { CalendarDate, EVERYBODY, PERSONS_READERS, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/contract.js';
import { Creator } from './draft-types.js';
import { enumOf } from './enums.js';

@Teams(...PERSONS_READERS)
@ObjectType({ description: 'Who works under a contract; both fields are null until someone is named.' })
export class ContractWorker {
  @Field(() => ID, { description: 'The worker; null until someone is named.', nullable: true })
  id!: string | null;

  @Field(() => String, { description: 'How the worker is called; null until someone is named.', nullable: true })
  name!: string | null;
}

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'An agreement with a worker, from its draft to its end.' })
export class Contract {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  title!: string;

  @Field(() => enumOf(EMPLOYMENT_TYPES), { description: 'Whether the worker is employed or works for themselves.' })
  employmentType!: EmploymentType;

  @Field(() => enumOf(CONTRACT_TYPES), { description: 'How the work is agreed on and paid.' })
  contractType!: ContractType;

  @Field(() => enumOf(CONTRACT_STATUSES), { description: 'Where it is between draft and end.' })
  status!: ContractStatus;

  @Field(() => ContractWorker, { description: 'Who works under it; both fields are null until someone is named.' })
  worker!: ContractWorker;

  @Field(() => CalendarDate, { description: 'The first day; null while it is open.', nullable: true })
  startDate!: string | null;

  @Field(() => CalendarDate, { description: 'The last day; null for one without an end.', nullable: true })
  endDate!: string | null;

  @Field(() => Timestamp, { description: 'When its draft was made.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'Set for a deleted contract, whose tombstone this is.' })
  deletedAt!: string | null;

  @Teams(...TERMS_READERS)
  @Field(() => Creator, { nullable: true, description: 'For creator contracts.' })
  creator!: domain.Contract['creator'];
}

@Teams(...EVERYBODY)
@ObjectType({ description: 'A page of contracts.' })
export class ContractPage {
  @Field(() => [Contract], { description: 'What is on this page.' })
  nodes!: Contract[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}
