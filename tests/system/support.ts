import { randomUUID } from 'node:crypto';
import { accessTo, ask, sendGraphql, type GraphqlAccess, type GraphqlAnswer } from '@payroll/tools/demo/graphql-client';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '@payroll/tools/demo/steps';
import { addWorkspaces, seedPeople } from '@payroll/tools/demo/seed';
import { startThrowAwayStack, type SeedDemo } from '@payroll/tools/local/stack';
import type { DemoWorkspace } from '@payroll/tools/local/stack-file';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { watchProcesses, type Watch } from '@payroll/tools/local/watch-processes';
import { exchange } from './integrator.js';

export type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

/** The whole system with every process, on free ports and temporary data: two workspaces, their people and keys. */
export interface System {
  stack: Stack;
  workspaces: readonly [DemoWorkspace, DemoWorkspace];
  rest: (key: string, method: 'GET' | 'POST', path: string, body?: object, idempotencyKey?: string) => Promise<Answer>;
  graphql: <T>(query: string, variables?: object) => Promise<T>;
  access: (workspace?: DemoWorkspace) => GraphqlAccess;
  send: (query: string, variables?: object) => Promise<GraphqlAnswer>;
}

/** A separate system, for files that stop parts of it or need its initial data. */
export async function startSystem(
  seed: SeedDemo = seedPeople,
  more: Parameters<typeof startThrowAwayStack>[3] = {},
): Promise<System & AsyncDisposable> {
  const stack = await startThrowAwayStack('system', seed, () => {}, more);
  const workspaces = stack.file.workspaces as unknown as System['workspaces'];
  return { ...systemOf(stack, workspaces), [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

let shared: Promise<Stack> | undefined;
const traces: string[] = [];
const metrics = Promise.withResolvers<Watch['metricsPorts']>();

/** Reports of the shared system's processes: their traces so far and the ports of their metrics. */
export const told = { traces, metricsPorts: metrics.promise };

/**
 * The system shared by all files of this worker that leave every part of it running. A guardian ends it with the
 * worker, because no file knows whether it is the last.
 */
export function sharedStack(): Promise<Stack> {
  return (shared ??= startWatched());
}

/** Two new workspaces in the shared system. */
export async function joinSystem(): Promise<System> {
  const stack = await sharedStack();
  const [first, second] = await addWorkspaces(stack);
  return systemOf(stack, [first!, second!]);
}

async function startWatched(): Promise<Stack> {
  const watch = await watchProcesses('free', (message) => traces.push(message));
  metrics.resolve(watch.metricsPorts);
  return await startThrowAwayStack('system', seedPeople, () => {}, { env: watch.env });
}

function systemOf(stack: Stack, workspaces: System['workspaces']): System {
  const access = (workspace: DemoWorkspace = workspaces[0]): GraphqlAccess =>
    accessTo(stack.file.graphql, workspace.id);
  return {
    stack,
    workspaces,
    rest: (...request) => rest(stack.file.rest.url, ...request),
    graphql: (query, variables) => ask(access(), query, variables),
    access,
    send: (query, variables) => sendGraphql(access(), query, variables),
  };
}

async function rest(
  url: string,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  idempotencyKey: string = randomUUID(),
): Promise<Answer> {
  const answer = await exchange(url + path, { key, method, ...(body && { body, idempotencyKey }) });
  return { status: answer.status, body: JSON.parse(answer.text) as Json, headers: answer.headers };
}

/** A contract under which work can be submitted, without auto-pay: its payments stay as the approval created them. */
export async function activeContract(access: GraphqlAccess): Promise<string> {
  const worker = await registerWorker(access, 'Tess Test', 'example.com');
  const byHand = { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: false } };
  return await contractIn(access, worker, hourly('Made by a test', 'EUR', '50', byHand), 'active');
}

const weeks = new Map<string, number>();

/**
 * Ten hours of the contract's next week, from January 2026. Counted per contract: a count over all tests of a process
 * would reach future weeks, whose payments are not due.
 */
export async function submittedTimesheet(access: GraphqlAccess, contractId: string): Promise<Submitted> {
  const week = weeks.get(contractId) ?? 0;
  weeks.set(contractId, week + 1);
  return await submitWeek(access, contractId, week, '10');
}

/** The payments of a piece of work, as its workspace's list shows them. */
export async function paymentsOf(access: GraphqlAccess, contractId: string, timesheetId: string): Promise<string[]> {
  const query = 'query ($id: ID!) { payments(contractId: $id, limit: 100) { nodes { id timesheetId } } }';
  const { nodes } = await ask<{ nodes: { id: string; timesheetId: string }[] }>(access, query, { id: contractId });
  return nodes.filter((payment) => payment.timesheetId === timesheetId).map(({ id }) => id);
}
