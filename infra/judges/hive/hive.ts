import { createSecretKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { composeServices } from '@apollo/composition';
import { mintActorTokens, type ActorKeys } from '@payroll/admission';
import { newId, SCOPES, SERVICES, type Actor, type ServiceName } from '@payroll/kernel';
import { parse } from 'graphql';
import { accessTo } from '../../demo/graphql-client.js';
import { contractIn, hourly, registerWorker, submitWeek } from '../../demo/steps.js';
import { repositoryRoot } from '../../local/processes.js';
import type { Stack } from '../../local/assemble-stack.js';
import type { Case, Verdict } from '../verdict.js';

// What is used of the packages in this folder's lockfile, which has no part in the product's build.
interface Runtime {
  createGatewayRuntime: (options: object) => AsyncDisposable & { fetch: (request: Request) => Promise<Response> };
}
interface Router {
  unifiedGraphHandler: unknown;
}
interface Audits {
  auditServer: (options: object) => Promise<readonly { status: string; id: string; name: string; reason?: string }[]>;
}
const load = createRequire(join(repositoryRoot, 'infra/judges/hive/package.json')) as <T>(name: string) => T;

/** Both of Hive's routers in front of the running subgraphs, and the audit of each subgraph against GraphQL over HTTP. */
export async function hive({ stack }: Case): Promise<Verdict> {
  const [{ id: workspaceId } = { id: '' }] = stack.file.workspaces ?? [];
  const tokens = () => actorTokens(stack, workspaceId);
  const planners = { JavaScript: undefined, Rust: load<Router>('@graphql-hive/router-runtime').unifiedGraphHandler };
  const findings: string[] = [];
  for (const [planner, unifiedGraphHandler] of Object.entries(planners)) {
    const wrong = await queried(stack, workspaceId, tokens, { unifiedGraphHandler });
    findings.push(...wrong.map((each) => `planned in ${planner}: ${each}`));
  }
  const audits = (await Promise.all(SERVICES.map((service) => audited(stack, service, tokens)))).flat();
  findings.push(...audits.filter((each) => each !== 'ok'));
  return {
    isPassed: findings.length === 0,
    summary: `${Object.keys(planners).length} routers over ${SERVICES.length} subgraphs, ${audits.length} audits of them`,
    findings,
  };
}

type Tokens = () => Record<ServiceName, string>;

/** As admission would answer a service of an internal team. */
function actorTokens({ secrets }: Stack, workspaceId: string): Record<ServiceName, string> {
  const keys = Object.fromEntries(SERVICES.map((each) => [each, createSecretKey(secrets.actorKeys[each], 'hex')]));
  const actor: Actor = { kind: 'service', principalId: newId(), workspaceId, role: null, scopes: SCOPES };
  return mintActorTokens(keys as ActorKeys, { actor, via: 'graphql', requestId: newId() }, new Date());
}

const urlOf = ({ ports }: Stack, service: ServiceName): string => `http://127.0.0.1:${ports[service]}/graphql`;

const APPROVE = `mutation ($id: ID!, $version: String!) {
  approveTimesheet(id: $id, expectedVersion: $version) { status paymentId } }`;
const JOINED = `query ($id: ID!) {
  timesheet(id: $id) { status contract { title worker { name } } payment { status grossAmount { amount } } } }`;

/** A write, a read over three services and a refusal; what is not as it should be. */
async function queried(stack: Stack, workspaceId: string, tokens: Tokens, planner: object): Promise<string[]> {
  await using gateway = load<Runtime>('@graphql-hive/gateway-runtime').createGatewayRuntime({
    ...planner,
    supergraph: await composed(stack),
    logging: false,
    maskedErrors: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request, subgraphName }: { request: Request; subgraphName: string }) => ({
        authorization: request.headers.get(`x-actor-${subgraphName.toLowerCase()}`),
      }),
    },
  });
  const ask = async (query: string, variables: object): Promise<string> => {
    const actors = Object.entries(tokens()).map(([service, token]) => [`x-actor-${service}`, `Bearer ${token}`]);
    const headers = { 'content-type': 'application/json', ...(Object.fromEntries(actors) as Record<string, string>) };
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

async function composed(stack: Stack): Promise<string> {
  const schemas = SERVICES.map(async (name) => {
    const text = await readFile(join(repositoryRoot, 'services', name, 'schema.graphql'), 'utf8');
    return { name, url: urlOf(stack, name), typeDefs: parse(text) };
  });
  const { supergraphSdl, errors } = composeServices(await Promise.all(schemas));
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

async function submitted(stack: Stack, workspaceId: string) {
  const access = accessTo(stack.file.graphql, workspaceId);
  const worker = await registerWorker(access, 'Tess Test', 'example.com');
  const contractId = await contractIn(access, worker, hourly('Judged', 'EUR', '50'), 'active');
  return await submitWeek(access, contractId, 0, '10');
}

/** They try variables by a query of `__type`, which a subgraph refuses; as it should. */
const BY_INTROSPECTION: ReadonlySet<string> = new Set(['2EA1', '28B9']);

/** One line each, `ok` but where something that the specification says MUST or SHOULD be is not. */
async function audited(stack: Stack, service: ServiceName, tokens: Tokens): Promise<string[]> {
  const fetchFn = (url: string, init: RequestInit = {}) =>
    fetch(url, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${tokens()[service]}` } });
  const results = await load<Audits>('graphql-http').auditServer({ url: urlOf(stack, service), fetchFn });
  const required = results.filter(({ id, status }) => status !== 'notice' && !BY_INTROSPECTION.has(id));
  return required.map(({ status, id, name, reason }) =>
    status === 'ok' ? 'ok' : `${service} ${id} ${name} (${status}): ${reason}`,
  );
}
