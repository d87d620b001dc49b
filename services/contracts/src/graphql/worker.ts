import { requireInternal, requireScope, type Actor } from '@payroll/kernel';
import { byKeys, type ServiceParts } from '@payroll/service';
import { list, type Page } from '@payroll/store';
import {
  field,
  IdOf,
  loadById,
  NULLABLE,
  type Operation,
  OperationOf,
  PageArguments,
  pageOf,
  PERSONS_READERS,
  type SubgraphContext,
  Teams,
} from '@payroll/subgraph';
import { Arg, Args, Ctx, Directive, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { registerWorker, updateWorker } from '../commands/workers.js';
import { workers } from '../store/workers.js';

@Teams(...PERSONS_READERS)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A person who works under contracts of the workspace.' })
class Worker {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('1–200 characters.') name!: string;
  @field.text('The address by which the worker is reached.') email!: string;
}

const WorkerPage = pageOf(Worker, 'workers', PERSONS_READERS);

/** The API shows a worker's name and a contract's summary, and nothing else of the person (public-api.md §1). */
export function requireProfileReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}

const EMAIL = { description: 'The address by which the worker is reached.' };

@Resolver(() => Worker)
export class WorkerResolver {
  readonly byId;

  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands'>) {
    this.byId = byKeys(parts.em, workers);
  }

  @Teams(...PERSONS_READERS)
  @Query(() => Worker, { nullable: true, description: 'One worker. For internal teams.' })
  async worker(@IdOf('worker') id: string, @Ctx() context: SubgraphContext): Promise<Worker | null> {
    requireProfileReader(context.origin.actor);
    return await loadById(context, this.byId, id);
  }

  @Teams(...PERSONS_READERS)
  @Query(() => WorkerPage, { description: 'Workers, newest first. For internal teams.' })
  async workers(
    @Args(() => PageArguments) page: PageArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Worker>> {
    requireProfileReader(actor);
    return await list(this.parts.em, workers, { ...page, workspaceId: actor.workspaceId, filters: { of: 'workers' } });
  }

  @Teams('service', 'operations')
  @Mutation(() => Worker, { description: 'Notes a person who will work under contracts.' })
  registerWorker(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, EMAIL) email: string,
    @OperationOf() by: Operation,
  ): Promise<Worker> {
    return this.parts.commands.run(registerWorker, { name, email }, by.origin, by.operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Worker, {
    description: 'What is not given stays. A new name is a change of every contract that shows it.',
  })
  updateWorker(
    @IdOf('worker') id: string,
    @Arg('name', () => String, { ...NULLABLE, description: '1–200 characters.' }) name: string | undefined,
    @Arg('email', () => String, { ...NULLABLE, ...EMAIL }) email: string | undefined,
    @OperationOf() by: Operation,
  ): Promise<Worker> {
    return this.parts.commands.run(updateWorker, { id, name, email }, by.origin, by.operationId);
  }
}
