import { ask, type GraphqlAccess } from './graphql-client.js';
import * as operation from './operations.js';

export interface Worker {
  id: string;
}

/** The draft of a contract with an hourly rate. */
export function hourly(title: string, currency: string, rate: string, more: object = {}): object {
  return {
    title,
    contractType: 'contractor_payg',
    startDate: '2026-01-01',
    compensation: { type: 'hourly', currency, rate },
    invoicingSettings: { paymentDueDays: 14 },
    ...more,
  };
}

/** The draft of a contract with a milestone for each amount. */
export function byMilestone(title: string, amounts: readonly string[]): object {
  return {
    title,
    contractType: 'contractor_milestone',
    startDate: '2026-01-01',
    compensation: { type: 'milestone', currency: 'EUR' },
    milestones: amounts.map((amount, n) => ({ title: `Step ${n + 1}`, amount, sortOrder: n })),
  };
}

export async function registerWorker(access: GraphqlAccess, name: string, domain: string): Promise<Worker> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@${domain}`;
  return await ask<Worker>(access, operation.REGISTER_WORKER, { name, email });
}

export async function findWorker(
  access: GraphqlAccess,
  email: string,
): Promise<(Worker & { name: string }) | undefined> {
  const query = 'query ($email: String!) { workers(search: $email, limit: 1) { nodes { id name } } }';
  const { nodes } = await ask<{ nodes: (Worker & { name: string })[] }>(access, query, { email });
  return nodes[0];
}

export async function contractIn(
  access: GraphqlAccess,
  worker: Worker,
  input: object,
  status: operation.ReachedStatus,
): Promise<string> {
  const { id } = await ask<{ id: string }>(access, operation.CREATE_DRAFT, { input });
  await ask(access, operation.ASSIGN_WORKER, { id, workerId: worker.id });
  for (const step of operation.stepsTo(status)) await ask(access, step, { id });
  return id;
}

export interface Submitted {
  id: string;
  version: string;
}

/** Submits the n-th week of 2026, from Monday to Sunday. */
export async function submitWeek(
  access: GraphqlAccess,
  contractId: string,
  n: number,
  unitsWorked: string,
): Promise<Submitted> {
  const day = (offset: number): string => new Date(Date.UTC(2026, 0, 5 + n * 7 + offset)).toISOString().slice(0, 10);
  const input = { contractId, periodStart: day(0), periodEnd: day(6), unitsWorked };
  return await ask<Submitted>(access, operation.SUBMIT_TIMESHEET, { input });
}

/** Submits every milestone of a contract. */
export async function submitMilestones(access: GraphqlAccess, contractId: string): Promise<Submitted[]> {
  const { nodes } = await ask<{ nodes: { id: string }[] }>(access, operation.MILESTONES_OF, { id: contractId });
  return await Promise.all(nodes.map(({ id }) => ask<Submitted>(access, operation.SUBMIT_MILESTONE, { id })));
}
