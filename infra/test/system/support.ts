import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, sendGraphql, type GraphqlAccess, type GraphqlAnswer } from '../../demo/graphql-client.js';
import { ACTIVATION, ASSIGN_WORKER, CREATE_DRAFT, REGISTER_WORKER, SUBMIT_TIMESHEET } from '../../demo/operations.js';
import { seedDemo } from '../../demo/seed.js';
import { startStack, type DemoWorkspace, type Stack } from '../../local/stack.js';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** The whole system with every process, on free ports and throw-away data. */
export interface System extends AsyncDisposable {
  stack: Stack;
  workspaces: readonly [DemoWorkspace, DemoWorkspace];
  rest: (key: string, method: string, path: string, body?: object, idempotencyKey?: string) => Promise<Answer>;
  graphql: <T>(query: string, variables?: object) => Promise<T>;
  access: (workspace?: DemoWorkspace) => GraphqlAccess;
  send: (query: string, variables?: object) => Promise<GraphqlAnswer>;
}

export async function startSystem(): Promise<System> {
  const dir = await mkdtemp(join(tmpdir(), 'payroll-system-'));
  // Postgres may run as another user and has to pass through.
  await chmod(dir, 0o711);
  const stack = await startStack({ dir, ports: 'free', durable: false, seed: seedDemo, onProgress: () => {} });
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

/** A contract that work can be submitted under. */
export async function activeContract(access: GraphqlAccess): Promise<string> {
  const { id } = await ask<{ id: string }>(access, CREATE_DRAFT, {
    input: {
      title: 'Made by a test',
      contractType: 'contractor_payg',
      startDate: '2027-01-01',
      compensation: { type: 'hourly', currency: 'EUR', rate: '50' },
    },
  });
  const worker = await ask<{ id: string }>(access, REGISTER_WORKER, { name: 'Tess Tester', email: 'tess@example.com' });
  await ask(access, ASSIGN_WORKER, { id, workerId: worker.id });
  for (const step of ACTIVATION) await ask(access, step, { id });
  return id;
}

const FIRST_DAY = Date.parse('2027-03-01T00:00:00Z');
let daysWorked = 0;

/** A day's work, each time another day: no day of a contract is paid twice. */
export async function submittedTimesheet(
  access: GraphqlAccess,
  contractId: string,
): Promise<{ id: string; version: string }> {
  const day = new Date(FIRST_DAY + daysWorked++ * 86_400_000).toISOString().slice(0, 10);
  return await ask(access, SUBMIT_TIMESHEET, {
    input: { contractId, periodStart: day, periodEnd: day, unitsWorked: '10' },
  });
}
