import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { progress } from '@payroll/tools/cli';
import { accessTo, ask, type GraphqlAccess, instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import type { DemoSystem } from '@payroll/tools/demo/operator';
import { type Key, newPrincipal } from '@payroll/tools/demo/people';
import { addWorkspaces } from '@payroll/tools/demo/seed';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { byMilestone, contractIn, hourly, registerWorker, submitMilestones } from '@payroll/tools/demo/steps';
import type { DemoWorkspace, StackFile } from '@payroll/tools/local/stack-file';
import { copiesOf, NEWER } from '../../copied-rows.js';
import { until } from '../../until.js';
import { ApiClient, type ApiRequest, listAll } from '../../v1.js';

export type Principal = Key & { memberId: string };

/** A workspace with many principals, so that each stays within the contract's limits, and with work to decide on. */
export interface Tenant {
  id: string;
  access: GraphqlAccess;
  admins: Principal[];
  member: Principal;
  viewer: Principal;
  /** An admin whose role is switched during the run. */
  demoted: Principal;
  /** The token of an admin's assistant, if there is one. */
  assistant: string | undefined;
  work: WorkItem[];
}

export interface WorkItem {
  workspace: string;
  kind: 'timesheet' | 'milestone';
  id: string;
  version: string;
  /** Its payment is due as soon as it is approved. */
  isPaidAtOnce: boolean;
}

/** Gives out work, with pauses between items that are paid at once: payouts have to keep up on a busy machine. */
export class WorkQueue {
  private paidAtOnceAt = 0;

  constructor(private readonly paidAtOnceEveryMs: number) {}

  /** A work item that no other client will decide on. */
  take({ work }: Tenant): WorkItem | undefined {
    const mayBePaid = performance.now() - this.paidAtOnceAt > this.paidAtOnceEveryMs;
    const place = work.findLastIndex(({ isPaidAtOnce }) => mayBePaid || !isPaidAtOnce);
    const [item] = place < 0 ? [] : work.splice(place, 1);
    if (item?.isPaidAtOnce) this.paidAtOnceAt = performance.now();
    return item;
  }
}

/** The same each time it is sent. */
export function approvalOf({ kind, id, version }: Omit<WorkItem, 'workspace' | 'isPaidAtOnce'>): ApiRequest {
  const body = { expectedVersion: version };
  return { method: 'POST', path: `/${kind}s/{id}/approve`, id, idempotencyKey: randomUUID(), body };
}

export const draftOf = (body: object): ApiRequest => {
  return { method: 'POST', path: '/contracts', idempotencyKey: randomUUID(), body };
};

/** The reviewers: enough to decide on most of the work at a rate within the contract's limits. */
const MAX_ADMINS = 40;
const ITEMS_EACH = 100;

/**
 * Four workspaces that share this many submitted work items: those of a seeded system, and two more.
 * @param databaseUrl of a role that may write to every table
 */
export async function prepareWorkspaces(
  system: DemoSystem & { file: Pick<StackFile, 'workspaces'> },
  databaseUrl: string,
  items: number,
): Promise<Tenant[]> {
  progress('Submitting work');
  const workspaces = [...system.file.workspaces!, ...(await addWorkspaces(system))];
  await using cleanup = new AsyncDisposableStack();
  const database = cleanup.adopt(new Pool({ connectionString: databaseUrl }), (pool) => pool.end());
  const api = cleanup.use(new ApiClient([system.file.rest.url]));
  const each = Math.ceil(items / workspaces.length);
  const prepared = workspaces.map(async (workspace) => {
    const access = accessTo(system.file.graphql, workspace.id);
    return await prepareOne(workspace, access, api, { database, items: each });
  });
  const tenants = await Promise.all(prepared);
  await database.query('analyze');
  return tenants;
}

async function prepareOne(
  { id: workspace, mcpTokens }: DemoWorkspace,
  access: GraphqlAccess,
  api: ApiClient,
  { database, items }: { database: Pool; items: number },
): Promise<Tenant> {
  const admins: Principal[] = [];
  const wanted = Math.min(MAX_ADMINS, Math.ceil(items / ITEMS_EACH));
  while (admins.length < wanted) admins.push(await newPrincipal(access));
  const [member, viewer] = [await newPrincipal(access, 'member'), await newPrincipal(access, 'viewer')];
  const demoted = await newPrincipal(access);
  const contracts = await submitWork(access, database, items);
  const listed = async (kind: WorkItem['kind'], path: string, id: string): Promise<WorkItem[]> => {
    const list = { path, id, query: { status: 'submitted' } };
    const rows = await listAll<WorkItem & { contractId: string }>(api, admins[0]!.secret, list);
    return rows.map(({ id, version, contractId }) => {
      return { workspace, kind, id, version, isPaidAtOnce: contractId !== contracts[0] };
    });
  };
  const work = await listed('timesheet', '/timesheets', '');
  for (const id of contracts) work.push(...(await listed('milestone', '/contracts/{id}/milestones', id)));
  return { id: workspace, access, admins, member, viewer, demoted, assistant: mcpTokens?.admin, work };
}

interface Kind {
  kind: WorkItem['kind'];
  /** The payee's destination, which scripts the sandbox provider. */
  destination: string;
  /** The share of all work items. */
  share: number;
  /** Only for timesheets. */
  dueDays?: number;
}

const ORDINARY = 'DE89 3704 0044 0532 0130 00';

/** The first kinds are paid on their day, years from now; the others at once. */
const KINDS: readonly Kind[] = [
  { kind: 'timesheet', destination: ORDINARY, share: 0.75, dueDays: 3_650 },
  { kind: 'timesheet', destination: ORDINARY, share: 0.05, dueDays: 0 },
  { kind: 'milestone', destination: ORDINARY, share: 0.07 },
  { kind: 'milestone', destination: 'sandbox:settles-later', share: 0.06 },
  { kind: 'milestone', destination: 'sandbox:times-out', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:answer-lost', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:declines', share: 0.02 },
  { kind: 'milestone', destination: 'sandbox:order-lost', share: 0.01 },
];

/** Each copy has an amount that no other work item of the run has. */
const copyOf = (table: string, amounts: string): string =>
  copiesOf(table, 't.id = $1', `'id', gen_random_uuid(), ${amounts}, ${NEWER}`);
const COPIES = {
  timesheet: copyOf('review.timesheet', `'units_worked', t.units_worked + n * 0.01, 'total', t.total + n * 0.01`),
  milestone: copyOf('review.milestone', `'amount', t.amount + n * 0.01`),
};

/** Ranges of amounts do not overlap between contracts; in hundredths. */
let amountsBegun = 0;
const APART = 1_000;

/** Creates funds, workers and contracts through the graph, with one work item of each kind; the others are copies. */
async function submitWork(access: GraphqlAccess, database: Pool, items: number): Promise<string[]> {
  await instruct(access, REQUEST_FUNDING, transferOf('900000000', 'EUR'));
  const contracts: string[] = [];
  for (const kind of KINDS) {
    const worker = await registerWorker(access, `Wil Worker ${randomUUID().slice(0, 8)}`, 'torture.example');
    await payTo(access, worker.id, kind.destination);
    const amount = String(100 + APART * amountsBegun++);
    const { contractId, id } = await firstOf(kind, access, worker, amount);
    await database.query(COPIES[kind.kind], [id, Math.max(Math.round(items * kind.share) - 1, 0)]);
    contracts.push(contractId);
  }
  return contracts;
}

async function firstOf({ kind, dueDays = 0 }: Kind, access: GraphqlAccess, worker: { id: string }, amount: string) {
  if (kind === 'timesheet') {
    const byHour = hourly('Tortured', 'EUR', '1', { invoicingSettings: { paymentDueDays: dueDays } });
    const contractId = await contractIn(access, worker, byHour, 'active');
    const input = { contractId, periodStart: '2026-10-01', periodEnd: '2026-10-31', unitsWorked: amount };
    return { contractId, ...(await ask<{ id: string }>(access, SUBMIT_TIMESHEET, { input })) };
  }
  const contractId = await contractIn(access, worker, byMilestone('Tortured', [amount]), 'active');
  return { contractId, id: (await submitMilestones(access, contractId))[0]!.id };
}

interface Paid {
  without: number;
  doubled: number;
  /** The time waited. */
  ms: number;
}

/** Waits until each approved work item has its payment, or until the time is over. */
export async function waitForPayments(database: Pool, items: readonly WorkItem[], withinMs: number): Promise<Paid> {
  const startedAt = performance.now();
  let counted = { without: 0, doubled: 0 };
  const isPaid = async (): Promise<boolean> => {
    const { rows } = await database.query<typeof counted>(
      `select (count(*) filter (where made = 0))::int as without, (count(*) filter (where made > 1))::int as doubled
        from (select (select count(*) from payments.payment where source_id = item) as made
          from unnest($1::uuid[]) as item) as counted`,
      [items.map(({ id }) => id)],
    );
    counted = rows[0]!;
    return counted.without === 0;
  };
  await until(isPaid, { everyMs: 100, withinMs });
  return { ...counted, ms: performance.now() - startedAt };
}
