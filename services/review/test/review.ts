import { generateKeySync } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { mintActorToken } from '@payroll/admission';
import type { WorkAnswer, WorkerQuestion, WorkQuestion } from '@payroll/events';
import { createDatabase, TestClock } from '@payroll/tools/local/test-server';
import type { Origin, ServiceName } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { buildSubgraph, createSubgraphServer, parseJsonLines, type ServiceDependencies } from '@payroll/service';
import { Commands, type DomainEvent } from '@payroll/commands';
import { mapDatabaseError, migrate, openDatabase } from '@payroll/store';
import { inject } from 'vitest';
import { reviewService } from '../src/service.js';
import { reviewSchema } from '../src/store/schema.js';
import { Workspace } from './workspace.js';

/** A GraphQL result; the test knows the shape of what it selected. */
export interface Answer<Data = Record<string, unknown>> {
  data: Data | null;
  errors?: { message: string; extensions: { code: string; details?: unknown } }[];
}

export const codesOf = ({ errors = [] }: Answer<unknown>): string[] => errors.map(({ extensions }) => extensions.code);

export interface Request {
  query: string;
  variables?: Record<string, unknown>;
  extensions: { token: string | undefined };
}

const log = createLog('review', 'silent');

/**
 * The service on a database of its own, with the service's database role. Tests supply the events of other services.
 */
export class Review implements AsyncDisposable {
  readonly actorKey = generateKeySync('hmac', { length: 256 });
  readonly commands: Commands;
  readonly parts: ServiceDependencies;
  /** Events committed for other services. */
  readonly emitted: DomainEvent[] = [];
  learn: ServiceDependencies['learn'] = () => Promise.resolve(null);
  /** The answers of contracts about the work under a contract, by its id. */
  readonly agreedWork = new Map<string, WorkAnswer>();
  /** The workers who sign in, as workspaces answers. */
  readonly signedIn = new Set<string>();

  private constructor(
    readonly em: EntityManager,
    readonly databaseUrl: string,
    /** Postgres' clock, the only one that decides what is due. */
    readonly clock: TestClock,
    private readonly stack: AsyncDisposableStack,
  ) {
    this.commands = new Commands({
      em,
      relay: {
        deliver: (events) => {
          this.emitted.push(...events.map(({ event }) => event));
          return Promise.resolve();
        },
      },
    });
    this.parts = {
      em,
      commands: this.commands,
      log,
      bus: {
        request: (_subject: string, asked: WorkQuestion | WorkerQuestion) =>
          Promise.resolve(
            'workerId' in asked
              ? { hasAccess: this.signedIn.has(asked.workerId) }
              : (this.agreedWork.get(asked.contractId) ?? null),
          ),
      } as never,
      deployment: 'test',
      learn: (commands, about, isNews) => this.learn(commands, about, isNews),
    };
  }

  static async open(name: string): Promise<Review> {
    const { ownerUrl } = await createDatabase(inject('backends'), name);
    await migrate(reviewSchema, ownerUrl);
    return await Review.over(name);
  }

  /** Uses a database that already has the tables, such as a copy. */
  static async over(name: string): Promise<Review> {
    await using starting = new AsyncDisposableStack();
    const { urls } = await createDatabase(inject('backends'), name);
    const clock = await TestClock.install(inject('backends'), name);
    const orm = starting.adopt(await openDatabase(reviewSchema, urls.review), (open) => open.close());
    return new Review(orm.em.fork(), urls.review, clock, starting.move());
  }

  /** A new workspace, or the existing one with this id. */
  workspace(id?: string): Workspace {
    return new Workspace(this.em, this.commands, id);
  }

  token(origin: Origin, audience: ServiceName = 'review', now = new Date()): string {
    return mintActorToken(audience, this.actorKey, origin, now);
  }

  /** The real subgraph server; `em` may be one that counts statements. */
  async serve(em: EntityManager = this.em): Promise<Subgraph> {
    const { schema } = await buildSubgraph(reviewService.subgraph({ ...this.parts, em }));
    const server = await createSubgraphServer({
      service: 'review',
      actorTokenKeys: [this.actorKey],
      schema,
      log,
      mapDatabaseError,
      waitingFor: () => Promise.resolve([]),
    });
    this.stack.adopt(server, (open) => open.close());
    return {
      batch: async (requests) =>
        parseJsonLines((await server.inject({ method: 'POST', url: '/graphql', payload: requests as object[] })).body),
      ask: async <Data>(origin: Origin, query: string, variables: Record<string, unknown> = {}) => {
        const payload = [{ query, variables, extensions: { token: this.token(origin) } }];
        const { body } = await server.inject({ method: 'POST', url: '/graphql', payload });
        return parseJsonLines<Answer<Data>>(body)[0]!;
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

export interface Subgraph {
  /** Sends the requests in one message, each with its own token. */
  batch: (requests: readonly Request[]) => Promise<Answer[]>;
  ask: <Data>(origin: Origin, query: string, variables?: Record<string, unknown>) => Promise<Answer<Data>>;
}
