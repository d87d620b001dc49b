import { generateKeySync } from 'node:crypto';
import { EDGES, mintActorTokens, type ActorKeys } from '@payroll/admission';
import { Gateway, supergraph, type PreparedOperation } from '@payroll/gateway';
import { recordOf, newId, SCOPES, type Origin, type StaffActor, SERVICES, type ServiceName } from '@payroll/kernel';
import { Drain } from '@payroll/runtime';
import { startService, type ServiceDefinition } from '@payroll/service';
import { Commands } from '@payroll/commands';
import { migrate, openDatabase } from '@payroll/store';
import { contractsService } from '../../../services/contracts/src/service.js';
import { TestSandbox } from '../../../services/payments/test/support/sandbox.js';
import { paymentsService } from '../../../services/payments/src/service.js';
import { reviewService } from '../../../services/review/src/service.js';
import { provisionWorkspace } from '../../../services/workspaces/src/commands/business.js';
import { workspacesService } from '../../../services/workspaces/src/service.js';
import { workspacesSchema } from '../../../services/workspaces/src/store/schema.js';
import { findPort } from '@payroll/tools/local/ports';
import { COUNTERSIGN } from '@payroll/tools/demo/operations';
import { createDatabase, startTestBackends, TestClock } from '@payroll/tools/local/test-server';

type Prepared = PreparedOperation<Record<string, unknown>, Record<string, unknown>>;

type Who = { kind: 'service' } | Pick<StaffActor, 'kind' | 'team' | 'person'>;

/** A workspace in the four real services, on a database whose clock the test sets. */
export class Workspace implements AsyncDisposable {
  private readonly prepared = new Map<string, Prepared>();
  /** Two people, because moving money needs both. */
  readonly finance: readonly [Origin, Origin];
  private readonly application: Origin;

  private constructor(
    private readonly stack: AsyncDisposableStack,
    readonly clock: TestClock,
    private readonly gateway: Gateway,
    private readonly actorKeys: ActorKeys,
    workspaceId: string,
  ) {
    const originOf = (who: Who): Origin => {
      const actor = { ...who, principalId: newId(), workspaceId, role: null, scopes: SCOPES };
      return { actor, via: 'graphql', requestId: newId() };
    };
    const finance = { kind: 'staff', team: 'finance' } as const;
    this.application = originOf({ kind: 'service' });
    this.finance = [
      originOf({ ...finance, person: 'fay@payroll.example' }),
      originOf({ ...finance, person: 'finn@payroll.example' }),
    ];
  }

  static async open(now: Date): Promise<Workspace> {
    await using starting = new AsyncDisposableStack();
    const { backends } = starting.use(await startTestBackends());
    const { ownerUrl, urls } = await createDatabase(backends, 'year');
    const clock = await TestClock.install(backends, 'year');
    await clock.set(now);
    const keys = SERVICES.map((name) => [name, generateKeySync('hmac', { length: 256 })] as const);
    const actorKeys = Object.fromEntries(keys) as ActorKeys;
    const subgraphs = {} as Record<ServiceName, string>;
    const start = async <Name extends ServiceName>(definition: ServiceDefinition<Name>): Promise<void> => {
      const { name, schema } = definition;
      await migrate(schema, ownerUrl);
      const listenPort = await findPort(0, 'free');
      const own = {
        listenHost: '127.0.0.1',
        listenPort,
        logLevel: 'error',
        eventRetentionDays: 30,
        deployment: 'test',
        cell: null,
      } as const;
      const parts = { database: { url: urls[name], poolSize: 10 }, nats: { url: backends.natsUrls[name] } };
      const given = { ...parts, streamReplicas: 1, actorTokenKeys: [actorKeys[name]] };
      starting.use(await startService(definition, { ...own, ...given }, new Drain()));
      subgraphs[name] = `http://127.0.0.1:${listenPort}/graphql`;
    };
    await start(
      workspacesService({
        deployment: 'test',
        cell: null,
        actorKeys,
        admission: NO_EDGES,
        secondFactorKeys: [],
        web: NO_VISITORS,
        mailer: null,
        oauth: null,
      }),
    );
    await start(contractsService);
    await start(reviewService);
    const sandbox = starting.use(await TestSandbox.open());
    await start(
      paymentsService({
        ...{ deployment: 'test', provider: sandbox, callbacks: null, payeeHoldHours: 24 },
        control: () => Promise.resolve(),
      }),
    );
    const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs }));
    const workspaceId = await provision(urls.workspaces);
    return new Workspace(starting.move(), clock, gateway, actorKeys, workspaceId);
  }

  /** The value of the operation's only field. @throws DomainError */
  async ask<T>(document: string, variables: Record<string, unknown> = {}, by = this.application): Promise<T> {
    const operation = this.prepared.get(document) ?? this.gateway.prepare(document);
    this.prepared.set(document, operation);
    const tokens = mintActorTokens(this.actorKeys, by, new Date());
    const data = await operation.run(variables, { tokens, requestId: newId() });
    return Object.values(data)[0] as T;
  }

  /** Moves money: one person of finance requests it and the other countersigns. */
  async instruct(request: string, variables: Record<string, unknown>): Promise<void> {
    const [first, second] = this.finance;
    const { id } = await this.ask<{ id: string }>(request, variables, first);
    await this.ask(COUNTERSIGN, { id }, second);
  }

  /** Every node of a list, page by page; the document takes `$cursor`. */
  async all<T>(document: string, by = this.application): Promise<T[]> {
    const nodes: T[] = [];
    for (let cursor: string | null = null; ;) {
      const page: { nodes: T[]; nextCursor: string | null } = await this.ask(document, { cursor }, by);
      nodes.push(...page.nodes);
      cursor = page.nextCursor;
      if (cursor === null) return nodes;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.disposeAsync();
  }
}

/** Its pages run on a free port that no test visits. */
const NO_VISITORS = {
  deployment: 'test' as const,
  listenHost: '127.0.0.1',
  listenPort: 0,
  origin: 'http://127.0.0.1',
  restUrl: 'http://127.0.0.1/v1',
  mcpUrl: null,
  trustedProxies: [],
};

/** No edge calls it for admission. */
const NO_EDGES = { listenHost: '127.0.0.1', listenPort: 0, secrets: recordOf(EDGES, () => []) };

/** The commands of an operator. */
async function provision(databaseUrl: string): Promise<string> {
  const orm = await openDatabase(workspacesSchema, databaseUrl);
  try {
    // The relay of the running service delivers its event.
    const commands = new Commands({ em: orm.em.fork() });
    const actor = { kind: 'system', principalId: newId(), workspaceId: newId(), role: null, scopes: SCOPES } as const;
    const business = { name: 'Northwind', country: 'DE', kybStatus: 'verified' } as const;
    const admin = { adminName: 'Ada', adminEmail: 'ada@example.com' };
    const origin: Origin = { actor, via: 'runner', requestId: newId() };
    return (await commands.run(provisionWorkspace, { ...business, ...admin }, origin)).workspaceId;
  } finally {
    await orm.close();
  }
}
