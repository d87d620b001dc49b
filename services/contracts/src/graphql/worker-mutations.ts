import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { registerWorker, updateWorker } from '../commands/workers.js';
import type * as domain from '../domain/worker.js';
import { Worker } from './worker-types.js';

@Resolver()
export class WorkerMutations {
  constructor(private readonly commands: CommandRunner) {}

  @Teams('service', 'operations')
  @Mutation(() => Worker, { description: 'Notes a person who will work under contracts.' })
  registerWorker(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, {
      description: 'The address by which the worker is reached.',
    })
    email: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Worker> {
    return this.commands.run(registerWorker, { name, email }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Worker, {
    description: 'What is not given stays. A new name is a change of every contract that shows it.',
  })
  updateWorker(
    @Arg('id', () => ID, { description: 'The id of the worker.' }) id: string,
    @Arg('name', () => String, { nullable: true, description: '1–200 characters.' }) name: string | undefined,
    @Arg('email', () => String, {
      description: 'The address by which the worker is reached.',
      nullable: true,
    })
    email: string | undefined,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Worker> {
    return this.commands.run(updateWorker, { id, name, email }, origin, operationId);
  }
}
