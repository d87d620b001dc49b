import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { mintActorTokens, type ActorKeys } from '@payroll/admission';
import { newId, SCOPES, SERVICES, type Actor, type ServiceName } from '@payroll/kernel';
import { parse } from 'graphql';
import { repositoryRoot } from '@payroll/infra/processes';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { accessTo } from '@payroll/tools/demo/graphql-client';
import { contractIn, hourly, registerWorker, submitWeek } from '@payroll/tools/demo/steps';
import type { Case, Verdict } from '../verdict.js';

/** Loads a package of this folder's own lockfile, which is not part of the product's build. */
const load = createRequire(join(repositoryRoot, 'tests/judges/hive/package.json')) as <T>(name: string) => T;

// The part of the packages that we use.
type Router = AsyncDisposable & { fetch: (request: Request) => Promise<Response> };
interface Runtime {
  createGatewayRuntime: (options: object) => Router;
}
interface RustPlanner {
  unifiedGraphHandler: unknown;
}

const PLANNERS = ['JavaScript', 'Rust'] as const;

/** Hive's gateway over a supergraph; it passes each subgraph the token that it received for it. */
function createRouter(supergraph: string, planner: (typeof PLANNERS)[number]): Router {
  return load<Runtime>('@graphql-hive/gateway-runtime').createGatewayRuntime({
    ...(planner === 'Rust' && {
      unifiedGraphHandler: load<RustPlanner>('@graphql-hive/router-runtime').unifiedGraphHandler,
    }),
    supergraph,
    logging: false,
    maskedErrors: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request, subgraphName }: { request: Request; subgraphName: string }) => ({
        authorization: request.headers.get(headerFor(subgraphName.toLowerCase())),
      }),
    },
  });
}

const headerFor = (service: string): string => `x-actor-${service}`;

/** Tokens for the requests to a router: those of an internal team's service, as admission would issue them. */
function actorTokens(stack: Stack, workspaceId: string): Record<string, string> {
  const tokens = tokensOf(stack, workspaceId);
  return Object.fromEntries(SERVICES.map((service) => [headerFor(service), `Bearer ${tokens[service]}`]));
}

function tokensOf({ secrets }: Stack, workspaceId: string): Record<ServiceName, string> {
  const keys = Object.fromEntries(SERVICES.map((each) => [each, createSecretKey(secrets.actorKeys[each], 'hex')]));
  const actor: Actor = { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES };
  return mintActorTokens(keys as ActorKeys, { actor, via: 'graphql', requestId: newId() }, new Date());
}

const urlOf = ({ ports }: Stack, service: ServiceName): string => `http://127.0.0.1:${ports[service]}/graphql`;

/** The supergraph of the running subgraphs. */
async function composed(stack: Stack): Promise<string> {
  const schemas = SERVICES.map(async (name) => {
    const text = await readFile(join(repositoryRoot, 'services', name, 'schema.graphql'), 'utf8');
    return { name, url: urlOf(stack, name), typeDefs: parse(text) };
  });
  const { supergraphSdl, errors } = composeServices(await Promise.all(schemas));
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

interface Audits {
  auditServer: (options: object) => Promise<readonly { status: string; id: string; name: string; reason?: string }[]>;
}

/** Both of Hive's routers over the running subgraphs, and an audit of each subgraph against GraphQL over HTTP. */
export async function hive({ stack }: Case): Promise<Verdict> {
  const [{ id: workspaceId } = { id: '' }] = stack.file.workspaces ?? [];
  const findings: string[] = [];
  for (const planner of PLANNERS) {
    const wrong = await queried(stack, workspaceId, planner);
    findings.push(...wrong.map((each) => `planned in ${planner}: ${each}`));
  }
  const audits = (await Promise.all(SERVICES.map((service) => audited(stack, service, workspaceId)))).flat();
  findings.push(...audits.filter((each) => each !== 'ok'));
  return {
    isPassed: findings.length === 0,
    summary: `${PLANNERS.length} routers over ${SERVICES.length} subgraphs, ${audits.length} audits of them`,
    findings,
  };
}

const APPROVE = `mutation ($id: ID!, $version: String!) {
  approveTimesheet(id: $id, expectedVersion: $version) { status paymentId } }`;
const JOINED = `query ($id: ID!) {
  timesheet(id: $id) { status contract { title worker { name } } payment { status grossAmount { amount } } } }`;

/** Sends a write, a read over three services and a refusal. @returns the unexpected results */
async function queried(stack: Stack, workspaceId: string, planner: (typeof PLANNERS)[number]): Promise<string[]> {
  await using gateway = createRouter(await composed(stack), planner);
  const ask = async (query: string, variables: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', ...actorTokens(stack, workspaceId) };
    const body = JSON.stringify({ query, variables });
    const response = await gateway.fetch(new Request('http://hive/graphql', { method: 'POST', headers, body }));
    return await response.text();
  };
  const { id, version } = await submitted(stack, workspaceId);
  const said = [await ask(APPROVE, { id, version }), await ask(JOINED, { id }), await ask(APPROVE, { id, version })];
  const expected = [
    /"approveTimesheet":\{"status":"approved","paymentId":"[\w-]{36}"\}/,
    /"title":"Judged","worker":\{"name":"Tess Test"\}.*"payment":\{"status":"\w+","grossAmount":\{"amount":"500(\.00)?"\}/,
    /"code":"STALE_RESOURCE_VERSION"/,
  ];
  return said.filter((answer, n) => !expected[n]!.test(answer));
}

async function submitted(stack: Stack, workspaceId: string) {
  const access = accessTo(stack.file.graphql, workspaceId);
  const worker = await registerWorker(access, 'Tess Test', 'example.com');
  const contractId = await contractIn(access, worker, hourly('Judged', 'EUR', '50'), 'active');
  return await submitWeek(access, contractId, 0, '10');
}

/** These checks send variables in a query of `__type`, which a subgraph refuses by design. */
const BY_INTROSPECTION: ReadonlySet<string> = new Set(['2EA1', '28B9']);

/** One line for each MUST or SHOULD of the specification that is violated; others are `ok`. */
async function audited(stack: Stack, service: ServiceName, workspaceId: string): Promise<string[]> {
  const fetchFn = (url: string, init: RequestInit = {}) => {
    const authorization = `Bearer ${tokensOf(stack, workspaceId)[service]}`;
    return fetch(url, { ...init, headers: { ...(init.headers as object), authorization } });
  };
  const results = await load<Audits>('graphql-http').auditServer({ url: urlOf(stack, service), fetchFn });
  const required = results.filter(({ id, status }) => status !== 'notice' && !BY_INTROSPECTION.has(id));
  return required.map(({ status, id, name, reason }) =>
    status === 'ok' ? 'ok' : `${service} ${id} ${name} (${status}): ${reason}`,
  );
}
