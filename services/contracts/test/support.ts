import { generateKeySync } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { mintActorToken } from '@payroll/admission';
import { parseEvent, type EventBody, type EventType, type WorkerQuestion } from '@payroll/events';
import { createDatabase } from '@payroll/tools/local/test-server';
import { newId, ROLE_SCOPES, SCOPES, type Actor, type Origin, type Role } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { buildSubgraph, createSubgraphServer, parseJsonLines, type ServiceDependencies } from '@payroll/service';
import { Commands, type Command, type DomainEvent, type Committed } from '@payroll/commands';
import { mapDatabaseError, migrate, openDatabase } from '@payroll/store';
import { sql } from 'kysely';
import { inject } from 'vitest';
import { contractsService } from '../src/service.js';
import { contractsSchema } from '../src/store/schema.js';

export interface Answer {
  data: Record<string, unknown> | null;
  errors?: { message: string; extensions: { code: string; details?: { path: string; code: string }[] } }[];
}

export interface AuditRow {
  action: string;
  subjectId: string;
  actorKind: string;
  principalId: string;
  change: Record<string, unknown>;
}

/** The service on its own: a migrated database, used with the service's role, and its subgraph. */
export class Contracts implements AsyncDisposable {
  /** Committed events, newest last. */
  readonly events: DomainEvent[] = [];
  readonly em: EntityManager;
  private readonly commands: Commands;
  private readonly key = generateKeySync('hmac', { length: 256 });
  private readonly stack = new AsyncDisposableStack();
  private server: Awaited<ReturnType<typeof createSubgraphServer>> | undefined;

  private constructor(em: EntityManager) {
    this.em = em;
    const deliver = (events: readonly Committed[]): Promise<void> => {
      this.events.push(...events.map(({ event }) => event));
      return Promise.resolve();
    };
    this.commands = new Commands({ em, relay: { deliver } });
  }

  static async open(name: string): Promise<Contracts> {
    const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
    await migrate(contractsSchema, ownerUrl);
    const orm = await openDatabase(contractsSchema, urls.contracts);
    const contracts = new Contracts(orm.em.fork());
    contracts.stack.defer(() => orm.close());
    return contracts;
  }

  async run<Input, Result>(command: Command<Input, Result>, input: Input, origin: Origin): Promise<Result> {
    await this.nameBusiness(origin.actor.workspaceId);
    return await this.commands.run(command, input, origin);
  }

  async graphql(origin: Origin, query: string, variables: object = {}): Promise<Answer> {
    await this.nameBusiness(origin.actor.workspaceId);
    this.server ??= await this.serve();
    const token = mintActorToken('contracts', this.key, origin, new Date());
    const payload = [{ query, variables, extensions: { token } }];
    const response = await this.server.inject({ method: 'POST', url: '/graphql', payload });
    return parseJsonLines<Answer>(response.body)[0]!;
  }

  /** Applies the event that names the business; without it, nothing in the workspace can be signed. */
  private async nameBusiness(workspaceId: string): Promise<void> {
    await sql`insert into business (workspace_id, name, country, revision) values (${workspaceId}, 'Northwind', 'DE', 0)
      on conflict do nothing`.execute(this.em.getKysely());
  }

  /** Bodies of the events of a type about an entity, oldest first, as consumers read them. */
  told<T extends EventType>(type: T, aboutId: string): EventBody<T>[] {
    const about = this.events.filter((event) => event.type === type && event.aboutId === aboutId);
    return about.map((event) => parseEvent(JSON.parse(JSON.stringify(event))).body as EventBody<T>);
  }

  /** The types of all events about an entity, oldest first. */
  typesTold(aboutId: string): string[] {
    return this.events.filter((event) => event.aboutId === aboutId).map(({ type }) => type);
  }

  /** How the worker has signed a contract. */
  async proofOf(contractId: string): Promise<unknown> {
    const { rows } = await sql<{ workerProof: unknown }>`
      select worker_proof as "workerProof" from agreement where contract_id = ${contractId} and number = 0`.execute(
      this.em.getKysely(),
    );
    return rows[0]?.workerProof;
  }

  async audited(workspaceId: string): Promise<AuditRow[]> {
    const { rows } = await sql<AuditRow>`
      select action, subject_id as "subjectId", actor_kind as "actorKind", principal_id as "principalId", change from audit_entry
      where workspace_id = ${workspaceId} order by at, id`.execute(this.em.getKysely());
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server?.close();
    await this.stack.disposeAsync();
  }

  /** The workers who sign in, as workspaces answers. */
  readonly signedIn = new Set<string>();

  private async serve() {
    const { em, commands } = this;
    const answer = (_subject: string, asked: WorkerQuestion) => ({ hasAccess: this.signedIn.has(asked.workerId) });
    const bus = { request: (...asked: Parameters<typeof answer>) => Promise.resolve(answer(...asked)) } as never;
    const { schema } = await buildSubgraph(
      contractsService.subgraph({
        em,
        commands,
        bus,
        deployment: 'test',
      } as Partial<ServiceDependencies> as ServiceDependencies),
    );
    const log = createLog('contracts', 'fatal');
    return await createSubgraphServer({
      service: 'contracts',
      actorTokenKeys: [this.key],
      schema,
      log,
      mapDatabaseError,
      waitingFor: () => Promise.resolve([]),
    });
  }
}

export function staff(workspaceId: string = newId()): Origin {
  const who = { kind: 'staff', team: 'operations', person: 'olga@example.com' } as const;
  return originOf({ ...who, principalId: newId(), workspaceId, role: null, scopes: SCOPES });
}

/** The application's own back end, which may use the sandbox. */
export function application(workspaceId = newId()): Origin {
  return originOf({ kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES });
}

/** A worker, signed in to the application. */
export function worker(workspaceId: string, workerId: string, hasRecentPassword = true): Origin {
  const who = { kind: 'worker', person: 'wanda@example.com', sessionId: newId(), hasRecentPassword } as const;
  return {
    ...originOf({ ...who, workerId, principalId: newId(), workspaceId, role: null, scopes: [] }),
    via: 'web',
  };
}

/** A member, signed in to the application. */
export function person(workspaceId: string, role: Role): Origin {
  const who = {
    kind: 'person',
    person: 'ada@example.com',
    sessionId: newId(),
    hasRecentPassword: false,
    principalId: newId(),
  } as const;
  return { ...originOf({ ...who, workspaceId, role, scopes: ROLE_SCOPES[role] }), via: 'web' };
}

export function apiKey(
  workspaceId: string,
  actor: Partial<Pick<Actor, 'principalId' | 'workspaceId' | 'role'>> = {},
): Origin {
  return originOf({ principalId: newId(), workspaceId, role: 'admin', scopes: SCOPES, ...actor, kind: 'api_key' });
}

function originOf(actor: Actor): Origin {
  return { actor, via: actor.kind === 'api_key' ? 'rest' : 'graphql', requestId: `req_${newId()}` };
}

/** The least a draft needs to become a contract paid by the hour. */
export const HOURLY = {
  title: 'Backend engineering',
  contractType: 'contractor_payg',
  startDate: '2027-01-01',
  compensation: { type: 'hourly', currency: 'EUR', rate: '85.50' },
} as const;
