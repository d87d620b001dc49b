import 'reflect-metadata';
import { PERSONS_READERS, Teams } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/worker.js';

@Teams(...PERSONS_READERS)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A person who works under contracts of the workspace.' })
export class Worker implements domain.Worker {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;

  @Field(() => String, { description: 'The address by which the worker is reached.' })
  email!: string;
}

@Teams(...PERSONS_READERS)
@ObjectType({ description: 'A page of workers.' })
export class WorkerPage {
  @Field(() => [Worker], { description: 'What is on this page.' })
  nodes!: Worker[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}
