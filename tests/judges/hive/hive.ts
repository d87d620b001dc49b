import { SERVICES, type ServiceName } from '@payroll/kernel';
import { accessTo } from '@payroll/tools/demo/graphql-client';
import { contractIn, hourly, registerWorker, submitWeek } from '@payroll/tools/demo/steps';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { Case, Verdict } from '../verdict.js';
import { actorTokens, composed, createRouter, load, PLANNERS, tokensOf, urlOf } from './router.js';

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
