import { createSecretKey, generateKeySync, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  EDGES,
  mintActorToken,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseInternalToken,
  type ActorKeys,
  type AdmissionResponse,
  type AdmissionRequest,
  type BearerCredential,
  type Credential,
} from '@payroll/admission';
import { createDatabase } from '@payroll/tools/local/test-server';
import {
  recordOf,
  instantOf,
  newId,
  SCOPES,
  SERVICES,
  systemOrigin,
  type Origin,
  type Role,
  type Scope,
  type Team,
  unavailable,
} from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { buildSubgraph, createSubgraphServer, parseJsonLines, type ServiceDependencies } from '@payroll/service';
import { Commands, type Command, type DomainEvent, type Committed } from '@payroll/commands';
import { mapDatabaseError, migrate, openDatabase } from '@payroll/store';
import { sql } from 'kysely';
import { inject, vi } from 'vitest';
import { handleAdmission } from '../src/admission/handle-admission.js';
import { addMember } from '../src/commands/members.js';
import { createApiKey, rotateApiKey } from '../src/commands/api-keys.js';
import { createInternalToken } from '../src/commands/installation.js';
import { provisionWorkspace } from '../src/commands/business.js';
import { workspacesService, type WorkspacesOptions } from '../src/service.js';
import type { WebSettings } from '../src/web/account-context.js';
import { workspacesSchema } from '../src/store/schema.js';

/** Settings of pages that are not served. */
const SETTINGS: WebSettings = {
  deployment: 'test',
  listenHost: '127.0.0.1',
  listenPort: 0,
  origin: 'https://accounts.example',
  restUrl: 'https://api.example/v1',
  mcpUrl: null,
  trustedProxies: [],
};

const NO_EDGES = { listenHost: '127.0.0.1', listenPort: 0, secrets: recordOf(EDGES, () => []) };

/** For pages of a workspace without contracts. */
export const NO_BUS = { request: () => Promise.reject(unavailable('contracts')) };

export const SECOND_FACTOR_KEY = createSecretKey(randomBytes(32));

export const FAR = '2099-01-01T00:00:00Z';
const MONTH_MS = 30 * 86_400_000;

export interface Answer {
  data: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string; details?: { path: string; code: string }[] } }[];
}

export interface AuditRow {
  action: string;
  actorKind: string;
  principalId: string;
  via: string;
  requestId: string;
  subjectId: string;
  change: Record<string, unknown>;
}

/** A workspace with its first admin. */
export interface Place {
  workspaceId: string;
  membershipId: string;
  /** A staff member in this workspace. */
  origin: Origin;
  /** The application's own back end, acting for its members. */
  application: Origin;
}

export interface Key {
  id: string;
  principalId: string;
  credential: BearerCredential;
}

type Surroundings = Partial<Pick<WorkspacesOptions, 'web' | 'mailer' | 'oauth'>>;

/** The service on its own: a migrated database, used with the service's role, its subgraph and its admission. */
export class Workspaces implements AsyncDisposable {
  readonly events: DomainEvent[] = [];
  readonly actorKeys: ActorKeys = recordOf(SERVICES, () => generateKeySync('hmac', { length: 256 }));
  readonly commands: Commands;
  private readonly stack = new AsyncDisposableStack();
  private server: Awaited<ReturnType<typeof createSubgraphServer>> | undefined;

  private constructor(
    readonly em: EntityManager,
    /** Uses the service's own role. */
    readonly databaseUrl: string,
  ) {
    const deliver = (events: readonly Committed[]): Promise<void> => {
      this.events.push(...events.map(({ event }) => event));
      return Promise.resolve();
    };
    this.commands = new Commands({ em, relay: { deliver } });
  }

  static async open(name: string): Promise<Workspaces> {
    const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
    await migrate(workspacesSchema, ownerUrl);
    const orm = await openDatabase(workspacesSchema, urls.workspaces);
    const workspaces = new Workspaces(orm.em.fork(), urls.workspaces);
    workspaces.stack.defer(() => orm.close());
    return workspaces;
  }

  run<Input, Result>(command: Command<Input, Result>, input: Input, origin: Origin): Promise<Result> {
    return this.commands.run(command, input, origin);
  }

  async provision(): Promise<Place> {
    const origin = staff();
    const admin = { adminName: 'Ada', adminEmail: 'Ada@Example.com' };
    const business = { name: 'Northwind', country: 'DE', kybStatus: 'not_started' } as const;
    const application: Origin = { ...origin, actor: { ...origin.actor, kind: 'service' } };
    return {
      ...(await this.run(
        provisionWorkspace,
        { ...business, ...admin },
        systemOrigin(origin.actor.workspaceId, 'runner', newId()),
      )),
      origin,
      application,
    };
  }

  async member({ origin }: Place, role: Role): Promise<string> {
    const member = await this.run(addMember, { name: role, email: `${newId()}@example.com`, role }, origin);
    return member.id;
  }

  /** Creates a key for the first admin, or the given member. */
  async key({ origin, membershipId }: Place, memberId = membershipId, scopes: readonly Scope[] = SCOPES): Promise<Key> {
    const { id, hash, text } = newApiKey('test');
    const input = { id, memberId, name: 'Key', scopes, expiresAt: FAR };
    const { principalId } = await this.run(createApiKey(hash), input, origin);
    return { id, principalId, credential: parseApiKey(`Bearer ${text}`, 'test')! };
  }

  async rotate({ origin }: Place, { id: replaces }: Key): Promise<Key> {
    const { id, hash, text } = newApiKey('test');
    const { principalId } = await this.run(rotateApiKey(hash), { replaces, id, expiresAt: FAR }, origin);
    return { id, principalId, credential: parseApiKey(`Bearer ${text}`, 'test')! };
  }

  async token(team: Team, owner = 'olga@example.com'): Promise<BearerCredential> {
    const { id, hash, text } = newInternalToken();
    const expiresAt = instantOf(new Date(Date.now() + MONTH_MS));
    await this.run(
      createInternalToken,
      { id, secretHash: hash, name: 'Somebody', owner, team, expiresAt },
      systemOrigin(newId(), 'runner', newId()),
    );
    return parseInternalToken(`Bearer ${text}`)!;
  }

  /** Asks as the edges do, each about its own credentials. A null question is the facade's. */
  async admit(questions: readonly (Question | null)[], em = this.em): Promise<AdmissionResponse[]> {
    const options = { em, actorKeys: this.actorKeys, assertionKey: null, now: () => new Date() };
    const answers: AdmissionResponse[] = [];
    for (const [via, places] of Map.groupBy(questions.keys(), (n) => questions[n]?.via ?? 'rest')) {
      const some = await handleAdmission(
        options,
        via,
        places.map((n) => questions[n]!),
      );
      for (const [k, n] of places.entries()) answers[n] = some[k]!;
    }
    return answers;
  }

  async admitOne(credential: Credential | null, more: Partial<Question> = {}): Promise<AdmissionResponse> {
    const [answer] = await this.admit([question(credential, more)]);
    return answer!;
  }

  /** Moves all rate counters back by this number of seconds. */
  async age(seconds: number): Promise<void> {
    await sql`update rate_counter set window_started_at = window_started_at - ${`${seconds} s`}::interval`.execute(
      this.em.getKysely(),
    );
  }

  async audited(workspaceId: string): Promise<AuditRow[]> {
    const { rows } = await sql<AuditRow>`
      select action, actor_kind as "actorKind", principal_id as "principalId", via, request_id as "requestId",
        subject_id as "subjectId", change
      from audit_entry where workspace_id = ${workspaceId} order by at, id`.execute(this.em.getKysely());
    return rows;
  }

  /** Resolves when this many sessions of the database wait for a lock. */
  async waitersForLocks(count: number): Promise<void> {
    const waiters = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    const wait = async () => (await waiters.execute(this.em.getKysely())).rows[0]?.n === count;
    await vi.waitUntil(wait, { interval: 10, timeout: 15_000 });
  }

  async graphql(origin: Origin, query: string, variables: object = {}): Promise<Answer> {
    this.server ??= await this.serve();
    const token = mintActorToken('workspaces', this.actorKeys.workspaces, origin, new Date());
    const payload = [{ query, variables, extensions: { token } }];
    const response = await this.server.inject({ method: 'POST', url: '/graphql', payload });
    return parseJsonLines<Answer>(response.body)[0]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server?.close();
    await this.stack.disposeAsync();
  }

  /** Starts the HTTP server of the subgraph and admission, as an edge calls it. @returns its URL */
  async listen(around: Surroundings = {}): Promise<string> {
    this.server = await this.serve(around);
    return `${await this.server.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
  }

  private async serve({ web = SETTINGS, mailer = null, oauth = null }: Surroundings = {}) {
    const { em, commands, actorKeys } = this;
    const { subgraph } = workspacesService({
      deployment: 'test',
      cell: null,
      actorKeys,
      admission: NO_EDGES,
      secondFactorKeys: [SECOND_FACTOR_KEY],
      web,
      mailer,
      oauth,
    });
    return await createSubgraphServer({
      service: 'workspaces',
      actorTokenKeys: [actorKeys.workspaces],
      schema: (await buildSubgraph(subgraph({ em, commands } as ServiceDependencies))).schema,
      log: createLog('workspaces', 'fatal'),
      mapDatabaseError,
      waitingFor: () => Promise.resolve([]),
    });
  }
}

export const codeOf = (answer: AdmissionResponse): string => (answer.admitted ? 'admitted' : answer.code);

/** A question, and the entry point of the edge that asks it. */
export type Question = AdmissionRequest & { via: 'rest' | 'graphql' | 'web' };

export function question(credential: Credential | null, more: Partial<Question> = {}): Question {
  const asked = { via: 'rest', requestId: newId(), clientAddress: '192.0.2.1', limit: 'reads', scope: 'read' } as const;
  return { credential, ...asked, ...more };
}

function staff(workspaceId: string = newId()): Origin {
  const who = { kind: 'staff', team: 'operations', person: 'olga@example.com' } as const;
  const actor = { ...who, principalId: newId(), workspaceId, role: null, scopes: SCOPES } as const;
  return { actor, via: 'graphql', requestId: newId() };
}

export function apiKey(workspaceId: string): Origin {
  const origin = staff(workspaceId);
  return { ...origin, via: 'rest', actor: { ...origin.actor, kind: 'api_key', role: 'admin' } };
}
