import { createSecretKey } from 'node:crypto';
import { mintActorTokens } from '@payroll/admission';
import { Gateway, supergraph, type Caller } from '@payroll/gateway';
import {
  recordOf,
  CONTRACT_STATUSES,
  newId,
  PAYMENT_STATUSES,
  SCOPES,
  SERVICES,
  TIMESHEET_STATUSES,
  type Origin,
  type Scope,
  type ServiceName,
} from '@payroll/kernel';
import { operations, type OperationName } from '@payroll/public-api';
import { buildSubgraph, type ServiceDefinition, type ServiceDependencies } from '@payroll/service';
import { Kind, parse, print, visit } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Executor } from '../../../packages/service/src/graphql/executor.js';
import { bindings, operationNames } from '../../../rest-facade/src/bindings.js';
import { prepareOperation } from '../../../rest-facade/src/ask-graph.js';
import { contractsService } from '../../../services/contracts/src/service.js';
import { paymentsService } from '../../../services/payments/src/service.js';
import { reviewService } from '../../../services/review/src/service.js';
import { workspacesService } from '../../../services/workspaces/src/service.js';
import { seedDemo } from '@payroll/tools/demo/seed';
import { ownerOf } from '../owner.js';
import { startSystem, type Json, type System } from '../support.js';
import { addStrangeRows } from './strange-rows.js';

type Input = { params: object; query: object; body: undefined };
type Run = (input: Input, caller: Caller) => Promise<string>;

const started = new AsyncDisposableStack();
let system: System;
let gateway: Gateway;
let executors: Executor[];
const ids: Record<string, string[]> = {};

/** Compiling calls no resolver, so the executor needs no service parts. */
const executorOf = async ({ subgraph }: Pick<ServiceDefinition<ServiceName>, 'subgraph'>): Promise<Executor> =>
  new Executor((await buildSubgraph(subgraph({} as ServiceDependencies))).schema);

beforeAll(async () => {
  const workspaces = workspacesService({ web: {} } as never);
  const services = [workspaces, contractsService, reviewService, paymentsService({} as never)];
  executors = await Promise.all(services.map(executorOf));
  system = started.use(await startSystem(seedDemo));
  const subgraphs = recordOf(SERVICES, (service) => `http://127.0.0.1:${system.stack.ports[service]}/graphql`);
  gateway = started.use(new Gateway({ supergraph: supergraph(), subgraphs }));
  const { database } = started.use(await ownerOf(system));
  const workspaceId = system.workspaces[0].id;
  Object.assign(ids, await addStrangeRows(database, workspaceId));
}, 180_000);
afterAll(async () => await started.disposeAsync());

function callerWith(scopes: readonly Scope[]): Caller {
  const keys = recordOf(SERVICES, (service) => createSecretKey(system.stack.secrets.actorKeys[service], 'hex'));
  const workspaceId = system.workspaces[0].id;
  const actor = { kind: 'api_key', principalId: newId(), workspaceId, role: 'admin', scopes } as const;
  const origin: Origin = { actor, via: 'rest', requestId: newId() };
  return { tokens: mintActorTokens(keys, origin, new Date()), requestId: origin.requestId };
}

/** The same query; the directive makes graphql-js execute its fields one by one. */
function fieldByField(document: string): string {
  const name = { kind: Kind.NAME, value: 'include' } as const;
  const value = { kind: Kind.BOOLEAN, value: true } as const;
  const condition = { kind: Kind.ARGUMENT, name: { ...name, value: 'if' }, value } as const;
  const directives = [{ kind: Kind.DIRECTIVE, name, arguments: [condition] }] as const;
  return print(visit(parse(document), { Field: (node) => ({ ...node, directives }) }));
}

/** The facade's path from request to body, once by the compiled query and once by graphql-js. */
function waysOf(name: OperationName): { document: string; compiled: Run; executed: Run } {
  let document = '';
  const way = (vary: (prepared: string) => string): Run => {
    const prepare = (prepared: string) => gateway.prepare((document = vary(prepared)));
    return prepareOperation(name, { prepare } as unknown as Gateway, 0) as Run;
  };
  const executed = way(fieldByField);
  const compiled = way((prepared) => prepared);
  return { document, compiled, executed };
}

/** The body, or the refusal. A balance includes the time at which it was read, which is removed. */
async function outcome(run: Run, input: Partial<Input>, scopes: readonly Scope[] = SCOPES): Promise<string> {
  try {
    const body = await run({ params: {}, query: {}, body: undefined, ...input }, callerWith(scopes));
    return body.replace(/"asOf":"[^"]*"/, '');
  } catch (error) {
    const { code, message, details, retryAfterSeconds } = error as unknown as Json;
    return `refused: ${JSON.stringify({ code, message, details, retryAfterSeconds })}`;
  }
}

const ALL = { limit: 100 };
const changed = { ...ALL, updatedSince: '1970-01-01T00:00:00.000000Z' };
const pages = [{ limit: 1 }, ALL, changed, { ...ALL, status: 'rejected' }, { ...ALL, contractId: newId() }];
const wrong = { ...ALL, cursor: 'bm9uZQ' };

function inputsOf(name: OperationName): Partial<Input>[] {
  const { params, query } = operations[name];
  if ('id' in params.properties) return [...ids[bindings[name].field]!, newId()].map((id) => ({ params: { id } }));
  if (!('limit' in query.properties)) return [{}];
  const known = Object.keys(query.properties);
  const fitting = [...pages, wrong, { ...ALL, includeDeleted: 'true' }, { ...ALL, status: 'failed' }];
  return fitting
    .filter((asked) => Object.keys(asked).every((each) => known.includes(each)))
    .map((query) => ({ query }));
}

const reads = operationNames.filter((name) => operations[name].method === 'GET' && !bindings[name].within);

it.each(reads)('%s is byte for byte the same from its compiled query and from graphql-js', async (name) => {
  const { document, compiled, executed } = waysOf(name);
  const prepared = executors.flatMap((executor) => executor.read(document).operations);
  expect(prepared.map((each) => each.compiled !== null)).toEqual([true]);
  const inputs = inputsOf(name);
  const bodies: string[] = [];
  for (const input of inputs) {
    const expected = await outcome(executed, input);
    bodies.push(expected);
    expect(await outcome(compiled, input)).toBe(expected);
  }
  expect(bodies.some((body) => body.startsWith('{'))).toBe(true);
  const refused = await outcome(executed, inputs[0]!, []);
  expect(refused).toContain('INSUFFICIENT_SCOPE');
  expect(await outcome(compiled, inputs[0]!, [])).toBe(refused);
});

it.each([
  ['listContracts', CONTRACT_STATUSES],
  ['listTimesheets', TIMESHEET_STATUSES],
  ['listPayments', PAYMENT_STATUSES],
] as const)('%s covers every status', async (name, words) => {
  const page = await outcome(waysOf(name).compiled, { query: { ...ALL, includeDeleted: 'true' } });
  const { data } = JSON.parse(page) as { data: { status: string }[] };
  expect(new Set(data.map(({ status }) => status))).toEqual(new Set(words));
});
