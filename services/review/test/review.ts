import { generateKeySync } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { mintActorToken } from '@payroll/admission';
import { createDatabase, TestClock } from '@payroll/tools/local/test-server';
import type { Origin, ServiceName } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { buildSubgraph, createSubgraphServer, readAnswers, type ServiceParts } from '@payroll/service';
import { Commands, type DomainEvent } from '@payroll/commands';
import { asDomainError, migrate, openDatabase } from '@payroll/store';
import { inject } from 'vitest';
import { reviewService } from '../src/service.js';
import { reviewSchema } from '../src/store/schema.js';
import { Workspace } from './workspace.js';

/** What a test asked for, it knows the shape of. */
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

/** The service over a database of its own, as its own role. Whatever comes from other services is told by the test. */
export class Review implements AsyncDisposable {
  readonly actorKey = generateKeySync('hmac', { length: 256 });
  readonly commands: Commands;
  readonly parts: ServiceParts;
  /** What was committed for other services. */
  readonly emitted: DomainEvent[] = [];
  learn: ServiceParts['learn'] = () => Promise.resolve(null);

  private constructor(
    readonly em: EntityManager,
    readonly databaseUrl: string,
    /** Of Postgres, which alone says what is due. */
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
      bus: undefined as never,
      deployment: 'test',
      learn: (commands, about, isNews) => this.learn(commands, about, isNews),
    };
  }

  static async open(name: string): Promise<Review> {
    const { ownerUrl } = await createDatabase(inject('backends'), name);
    await migrate(reviewSchema, ownerUrl);
    return await Review.over(name);
  }

  /** Over a database that has its tables, such as the copy of one. */
  static async over(name: string): Promise<Review> {
    await using starting = new AsyncDisposableStack();
    const { urls } = await createDatabase(inject('backends'), name);
    const clock = await TestClock.install(inject('backends'), name);
    const orm = starting.adopt(await openDatabase(reviewSchema, urls.review), (open) => open.close());
    return new Review(orm.em.fork(), urls.review, clock, starting.move());
  }

  /** A new one, or one that the database has. */
  workspace(id?: string): Workspace {
    return new Workspace(this.em, this.commands, id);
  }

  token(origin: Origin, audience: ServiceName = 'review', now = new Date()): string {
    return mintActorToken(audience, this.actorKey, origin, now);
  }

  /** The real subgraph server; `em` may be one that watches the statements. */
  async serve(em: EntityManager = this.em): Promise<Subgraph> {
    const { schema } = await buildSubgraph(reviewService.subgraph({ ...this.parts, em }));
    const { actorKey } = this;
    const server = await createSubgraphServer({
      service: 'review',
      actorKey,
      schema,
      log,
      asDomainError,
      waitingFor: () => Promise.resolve([]),
    });
    this.stack.adopt(server, (open) => open.close());
    return {
      batch: async (requests) =>
        readAnswers((await server.inject({ method: 'POST', url: '/graphql', payload: requests as object[] })).body),
      ask: async <Data>(origin: Origin, query: string, variables: Record<string, unknown> = {}) => {
        const payload = [{ query, variables, extensions: { token: this.token(origin) } }];
        const { body } = await server.inject({ method: 'POST', url: '/graphql', payload });
        return readAnswers<Answer<Data>>(body)[0]!;
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

export interface Subgraph {
  /** Requests of one message, each with its own token. */
  batch: (requests: readonly Request[]) => Promise<Answer[]>;
  ask: <Data>(origin: Origin, query: string, variables?: Record<string, unknown>) => Promise<Answer<Data>>;
}
