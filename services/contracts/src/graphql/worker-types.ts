import 'reflect-metadata';
import { PERSONS_READERS, Teams } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/worker.js';

@Teams(...PERSONS_READERS)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A person who works under contracts of the workspace.' })
export class Worker implements domain.Worker {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  email!: string;
}

@Teams(...PERSONS_READERS)
@ObjectType({ description: 'A page of workers.' })
export class WorkerPage {
  @Field(() => [Worker])
  nodes!: Worker[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}
