import { ROLES, requireApplication, requireScope, type Actor, type Origin } from '@payroll/kernel';
import {
  byKeys,
  field,
  IdArg,
  loadById,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleTo,
  PERSONS_READERS,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, Ctx, Directive, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { registerWorker, updateWorker } from '../commands/workers.js';
import { searchedOfWorkers } from './searched.js';
import { SeenArguments } from './contract-types.js';
import { listWorkers } from '../queries/lists.js';
import { workers } from '../store/views.js';

@VisibleTo({ teams: PERSONS_READERS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'A person who works under contracts of the workspace.' })
class Worker {
  @field.id('Its id, a UUID.') id!: string;
  @field.int('Counts its changes; a person who changes it says which one they saw.') revision!: number;
  @field.text('1–200 characters.') name!: string;
  @VisibleTo({ people: ['admin', 'member'] })
  @field.text('The address by which the worker is reached.')
  email!: string;
  @field.time('When the worker was added.') createdAt!: string;
}

const WorkerPage = pageType(Worker, 'workers', PERSONS_READERS);

@ArgsType()
class WorkerListArguments extends PageArguments {
  @field.text(
    'Only where the name, or the address for those who read it, has this in it, in any case. 1–200 characters.',
    NULLABLE,
  )
  search?: string | null;
  @field.boolean('Sorts by creation, oldest first.', { defaultValue: false }) oldestFirst!: boolean;
}

/**
 * The API shows a contract's summary with its worker's name, and nothing else about the worker (public-api.md §1).
 */
export function requireProfileReader(actor: Actor): void {
  requireApplication(actor);
  requireScope(actor, 'read');
}

const EMAIL = { description: 'The address by which the worker is reached.' };

@Resolver(() => Worker)
export class WorkerResolver {
  readonly byId;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {
    this.byId = byKeys(parts.em, workers);
  }

  @VisibleTo({ teams: PERSONS_READERS, people: ROLES })
  @Query(() => Worker, { nullable: true, description: 'One worker. Not for credentials.' })
  async worker(@IdArg('worker') id: string, @Ctx() context: SubgraphContext): Promise<Worker | null> {
    requireProfileReader(context.origin.actor);
    return await loadById(context, this.byId, id);
  }

  @VisibleTo({ teams: PERSONS_READERS, people: ROLES })
  @Query(() => WorkerPage, { description: 'Workers, newest first. Not for credentials.' })
  async workers(
    @Args(() => WorkerListArguments) filters: WorkerListArguments,
    @Ctx() reader: SubgraphContext,
  ): Promise<Page<Worker>> {
    const { actor } = reader.origin;
    requireProfileReader(actor);
    const searched = searchedOfWorkers(reader);
    return await listWorkers(this.parts.em, actor.workspaceId, { ...filters, searched });
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Worker, { description: 'Notes a person who will work under contracts.' })
  registerWorker(
    @Arg('name', () => String, { description: '1–200 characters.' }) name: string,
    @Arg('email', () => String, EMAIL) email: string,
    @MutationCtx() origin: Origin,
  ): Promise<Worker> {
    return this.parts.commands.run(registerWorker, { name, email }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Worker, {
    description: 'What is not given stays. A new name is a change of every contract that shows it.',
  })
  updateWorker(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('name', () => String, { ...NULLABLE, description: '1–200 characters.' }) name: string | undefined,
    @Arg('email', () => String, { ...NULLABLE, ...EMAIL }) email: string | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Worker> {
    return this.parts.commands.run(updateWorker, { ...seen, name, email }, origin);
  }
}
