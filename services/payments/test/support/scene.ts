import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { newEvent, parseEvent, type EventBody, type EventOf, type EventType, type EventTypeFor } from '@payroll/events';
import { createDatabase, TestClock } from '@payroll/tools/local/test-server';
import { newId, SCOPES, unavailable, type Actor, type Origin, type StaffActor } from '@payroll/kernel';
import { type Bus, Commands, type DomainEvent, type EventCommand } from '@payroll/commands';
import { createLog, type Deployment } from '@payroll/runtime';
import { buildSubgraph, createSubgraphServer, parseJsonLines, type ServiceDependencies } from '@payroll/service';
import { mapDatabaseError, migrate, openDatabase, readGeneration } from '@payroll/store';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RawBuilder } from 'kysely';
import { inject } from 'vitest';
import { pollProvider } from '../../src/payouts/poll-provider.js';
import { compareOrders } from '../../src/payouts/compare-orders.js';
import { processDue } from '../../src/payouts/process-due.js';
import type { OrderingProvider } from '../../src/payouts/provider.js';
import { paymentsService } from '../../src/service.js';
import { paymentsSchema } from '../../src/store/schema.js';
import { TestSandbox } from './sandbox.js';

/** Without the jobs, which the test runs with a provider of its choice; decisions ask the sandbox provider. */
const serviceWith = (sandbox: TestSandbox) =>
  paymentsService({
    deployment: 'test',
    provider: sandbox,
    callbacks: null,
    control: (key, outcome) => sandbox.finish(key, outcome),
    payeeHoldHours: 24,
  });
const { consumers: appliedBy } = serviceWith({} as never);
const KEY = generateKeySync('hmac', { length: 256 });

type Server = Awaited<ReturnType<typeof createSubgraphServer>>;

/** Fakes of the other services. */
interface Others {
  told: DomainEvent[];
  /** Events that they return when asked, by `type/aboutId`. */
  elsewhere: Map<string, DomainEvent>;
  /** Types of events whose owner does not answer. */
  unreachable: Set<string>;
  /** Workers that contracts does not know. */
  strangers: Set<string>;
  /** Workers who sign in. */
  joined: Set<string>;
}

export interface GraphqlAnswer {
  data: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string; details?: { path: string; code: string }[] } }[];
}

export const codeOf = ({ errors }: GraphqlAnswer): string | undefined => errors?.[0]?.extensions.code;

/** The payments service on a real database; the test delivers its events and runs its rounds. */
export class Scene implements AsyncDisposable {
  private constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly server: Server,
    readonly parts: ServiceDependencies,
    /** Postgres' clock, the only one that decides what is due. */
    readonly clock: TestClock,
    private readonly others: Others,
    readonly sandbox: TestSandbox,
  ) {}

  /** Events that this service has emitted. */
  get told(): readonly DomainEvent[] {
    return this.others.told;
  }

  get elsewhere(): Map<string, DomainEvent> {
    return this.others.elsewhere;
  }

  get strangers(): Set<string> {
    return this.others.strangers;
  }

  get joined(): Set<string> {
    return this.others.joined;
  }

  get unreachable(): Set<string> {
    return this.others.unreachable;
  }

  static async open(name: string, outside?: TestSandbox, deployment: Deployment = 'test'): Promise<Scene> {
    const { ownerUrl } = await createDatabase(inject('backends'), name);
    await migrate(paymentsSchema, ownerUrl);
    const clock = await TestClock.install(inject('backends'), name);
    await clock.set(new Date('2027-06-01T12:00:00Z'));
    const scene = await Scene.over(name, outside, deployment);
    await scene.compare();
    return scene;
  }

  /** Uses a database that already has its tables, such as a copy, with a provider of its own unless one is given. */
  static async over(name: string, outside?: TestSandbox, deployment: Deployment = 'test'): Promise<Scene> {
    const stack = new AsyncDisposableStack();
    const sandbox = outside ?? stack.use(await TestSandbox.open());
    const { urls } = await createDatabase(inject('backends'), name);
    const clock = await TestClock.install(inject('backends'), name);
    sandbox.follow(clock);
    const orm = stack.adopt(await openDatabase(paymentsSchema, urls.payments), (open) => open.close());
    const em = orm.em.fork();
    const others: Others = {
      told: [],
      elsewhere: new Map(),
      unreachable: new Set(),
      strangers: new Set(),
      joined: new Set(),
    };
    const parts = partsOf(em, others, deployment);
    const { schema } = await buildSubgraph(serviceWith(sandbox).subgraph(parts));
    const server = await createSubgraphServer({
      service: 'payments',
      actorTokenKeys: [KEY],
      schema,
      log: createLog('payments', 'error'),
      mapDatabaseError,
      waitingFor: () => Promise.resolve([]),
    });
    stack.adopt(server, (open) => open.close());
    return new Scene(stack, server, parts, clock, others, sandbox);
  }

  /** Delivers an event of another service. */
  async hear<T extends EventType>(type: T, workspaceId: string, aboutId: string, body: EventBody<T>): Promise<void> {
    await this.arrive(eventOf(type, workspaceId, aboutId, body));
  }

  async arrive(event: DomainEvent): Promise<void> {
    const command = appliedBy[event.type as EventTypeFor<'payments'>] as EventCommand;
    const received = parseEvent(JSON.parse(JSON.stringify(event)));
    await this.commands.apply(command, { ...received, generation: await readGeneration(this.em) });
  }

  /**
   * Compares the provider's orders: at once in the first generation of a database, later after orders of earlier ones
   * have expired.
   */
  async compare(): Promise<void> {
    const parts = { ...this.parts, provider: this.sandbox };
    await compareOrders(parts);
    await this.clock.pass(21_000);
    await compareOrders(parts);
  }

  /** One round of each job; a provider of the test's own may wrap the sandbox. */
  async round(provider: OrderingProvider = this.sandbox, commands = this.commands): Promise<void> {
    await processDue({ ...this.parts, commands });
    await pollProvider({ ...this.parts, commands, provider });
  }

  get em(): EntityManager {
    return this.parts.em;
  }

  get commands(): Commands {
    return this.parts.commands;
  }

  /** Longer than any attempt's lease. */
  async passTwoHours(): Promise<void> {
    await this.clock.pass(2 * 3_600_000);
  }

  async send(query: string, variables: object, origin: Origin): Promise<GraphqlAnswer> {
    const token = mintActorToken('payments', KEY, origin, new Date());
    const response = await this.server.inject({
      method: 'POST',
      url: '/graphql',
      payload: [{ query, variables, extensions: { token } }],
    });
    return parseJsonLines<GraphqlAnswer>(response.body)[0]!;
  }

  async sql<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return (await statement.execute(this.em.getKysely())).rows;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

export function eventOf<T extends EventType>(
  type: T,
  workspaceId: string,
  aboutId: string,
  body: EventBody<T>,
): DomainEvent {
  const { consumers: _, ...event } = newEvent(type, aboutId, body);
  return { id: newId(), workspaceId, occurredAt: '2027-06-01T12:00:00.000000Z', requestId: 'req_test', ...event };
}

export function staff(workspaceId: string, more: Partial<StaffActor> = {}): Origin {
  const who = { kind: 'staff', team: 'finance', person: 'fay@example.com' } as const;
  const actor: Actor = { ...who, principalId: newId(), workspaceId, role: null, scopes: SCOPES, ...more };
  return { actor, via: 'graphql', requestId: 'req_test' };
}

const QUIET = { info: () => {}, warn: () => {}, error: () => {} } as unknown as ServiceDependencies['log'];

function partsOf(
  em: EntityManager,
  { told, elsewhere, unreachable, strangers, joined }: Others,
  deployment: Deployment,
): ServiceDependencies {
  const commands = new Commands({
    em,
    relay: {
      deliver: (events) => {
        told.push(...events.map(({ event }) => event));
        return Promise.resolve();
      },
    },
  });
  return {
    em,
    bus: {
      request: (_: string, { workerId }: { workerId: string }) =>
        Promise.resolve({ isKnown: !strangers.has(workerId), hasAccess: joined.has(workerId) }),
    } as unknown as Bus,
    commands,
    log: QUIET,
    deployment,
    learn: async (handled, { aboutId }, isNews = () => true) => {
      const types = Object.keys(handled) as (keyof typeof handled)[];
      const down = types.find((each) => unreachable.has(each));
      if (down !== undefined) throw unavailable(down);
      const type = types.find((each) => elsewhere.has(`${each}/${aboutId}`));
      if (type === undefined) return null;
      const event = {
        ...(elsewhere.get(`${type}/${aboutId}`) as EventOf<typeof type>),
        generation: await readGeneration(em),
      };
      if (isNews(event)) await commands.apply(handled[type] as EventCommand, event);
      return event;
    },
  };
}
