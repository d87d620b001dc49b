import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, sendGraphql, type GraphqlAccess, type GraphqlAnswer } from '../../demo/graphql-client.js';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '../../demo/steps.js';
import { seedPeople } from '../../demo/seed.js';
import { startStack, type DemoWorkspace, type SeedDemo, type Stack } from '../../local/stack.js';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** The whole system with every process, on free ports and throw-away data: two workspaces, their people and keys. */
export interface System extends AsyncDisposable {
  stack: Stack;
  workspaces: readonly [DemoWorkspace, DemoWorkspace];
  rest: (key: string, method: string, path: string, body?: object, idempotencyKey?: string) => Promise<Answer>;
  graphql: <T>(query: string, variables?: object) => Promise<T>;
  access: (workspace?: DemoWorkspace) => GraphqlAccess;
  send: (query: string, variables?: object) => Promise<GraphqlAnswer>;
}

export async function startSystem(seed: SeedDemo = seedPeople): Promise<System> {
  const dir = await mkdtemp(join(tmpdir(), 'payroll-system-'));
  // Postgres may run as another user and has to pass through.
  await chmod(dir, 0o711);
  const stack = await startStack({ dir, ports: 'free', durable: false, seed, onProgress: () => {} });
  const workspaces = stack.file.workspaces as unknown as [DemoWorkspace, DemoWorkspace];
  const access = (workspace: DemoWorkspace = workspaces[0]): GraphqlAccess => ({
    url: stack.file.graphql.url,
    token: stack.file.graphql.token!,
    workspaceId: workspace.id,
  });
  return {
    stack,
    workspaces,
    rest: (...request) => rest(stack.file.rest.url, ...request),
    graphql: (query, variables) => ask(access(), query, variables),
    access,
    send: (query, variables) => sendGraphql(access(), query, variables),
    [Symbol.asyncDispose]: async () => {
      await stack[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function rest(
  url: string,
  key: string,
  method: string,
  path: string,
  body?: object,
  idempotencyKey: string = randomUUID(),
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json, headers: response.headers };
}

/** A contract that work can be submitted under, without auto-pay: its payments stay as the approval made them. */
export async function activeContract(access: GraphqlAccess): Promise<string> {
  const worker = await registerWorker(access, 'Tess Test', 'example.com');
  const byHand = { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: false } };
  return await contractIn(access, worker, hourly('Made by a test', 'EUR', '50', byHand), 'active');
}

let weeks = 0;

/** Ten hours of a week that has not been submitted yet: one week is not paid twice. */
export async function submittedTimesheet(access: GraphqlAccess, contractId: string): Promise<Submitted> {
  return await submitWeek(access, contractId, weeks++, '10');
}

/** The payments of a piece of work, as its workspace's list shows them. */
export async function paymentsOf(access: GraphqlAccess, contractId: string, timesheetId: string): Promise<string[]> {
  const query = 'query ($id: ID!) { payments(contractId: $id, limit: 100) { nodes { id timesheetId } } }';
  const { nodes } = await ask<{ nodes: { id: string; timesheetId: string }[] }>(access, query, { id: contractId });
  return nodes.filter((payment) => payment.timesheetId === timesheetId).map(({ id }) => id);
}
