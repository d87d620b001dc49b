import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { progress } from '@payroll/tools/cli';
import { type GraphqlAccess, accessTo, ask, instruct } from '@payroll/tools/demo/graphql-client';
import type { DemoSystem } from '@payroll/tools/demo/operator';
import { type Key, newPrincipal } from '@payroll/tools/demo/people';
import { addWorkspaces } from '@payroll/tools/demo/seed';
import type { DemoWorkspace, StackFile } from '@payroll/tools/local/stack-file';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { byMilestone, contractIn, hourly, registerWorker, submitMilestones } from '@payroll/tools/demo/steps';
import { call } from '../v1.js';

export type Principal = Key & { memberId: string };

/** A workspace with many principals, so that each stays within the contract's limits, and with work to decide on. */
export interface Tenant {
  id: string;
  access: GraphqlAccess;
  admins: Principal[];
  member: Principal;
  viewer: Principal;
  /** An admin whose role is switched during the run. */
  turncoat: Principal;
  /** The token of an admin's assistant, if there is one. */
  assistant: string | undefined;
  work: Piece[];
}

/** The reviewers: enough to decide on most of the work at a rate within the contract's limits. */
const MAX_ADMINS = 40;
const PIECES_EACH = 100;

/**
 * Four workspaces that share this many pieces of submitted work: those of a seeded system, and two more.
 * @param databaseUrl of a role that may write to every table
 */
export async function furnish(
  system: DemoSystem & { file: Pick<StackFile, 'workspaces'> },
  databaseUrl: string,
  pieces: number,
): Promise<Tenant[]> {
  progress('Handing in work');
  const workspaces = [...system.file.workspaces!, ...(await addWorkspaces(system))];
  const database = new Pool({ connectionString: databaseUrl });
  try {
    const each = Math.ceil(pieces / workspaces.length);
    const tenants = await Promise.all(workspaces.map((workspace) => furnishOne(system, workspace, database, each)));
    await database.query('analyze');
    return tenants;
  } finally {
    await database.end();
  }
}

async function furnishOne(
  system: DemoSystem,
  workspace: DemoWorkspace,
  database: Pool,
  pieces: number,
): Promise<Tenant> {
  const access = accessTo(system.file.graphql, workspace.id);
  const admins: Principal[] = [];
  const wanted = Math.min(MAX_ADMINS, Math.ceil(pieces / PIECES_EACH));
  while (admins.length < wanted) admins.push(await newPrincipal(access));
  const [member, viewer] = [await newPrincipal(access, 'member'), await newPrincipal(access, 'viewer')];
  const turncoat = await newPrincipal(access);
  const contracts = await handIn(access, database, pieces);
  const { id, mcpTokens } = workspace;
  const url = system.file.rest.url;
  const paths = [
    '/timesheets?status=submitted',
    ...contracts.map((each) => `/contracts/${each}/milestones?status=submitted`),
  ];
  const work: Piece[] = [];
  for (const path of paths) {
    const kind = path.startsWith('/timesheets') ? 'timesheet' : 'milestone';
    const rows = await listed(url + path, admins[0]!.secret);
    work.push(
      ...rows.map(({ contractId, ...row }) => {
        const isPaidAtOnce = contractId !== contracts[0];
        return { workspace: id, kind, isPaidAtOnce, ...row } as const;
      }),
    );
  }
  return { id, access, admins, member, viewer, turncoat, assistant: mcpTokens?.admin, work };
}

type Row = Pick<Piece, 'id' | 'version'> & { contractId: string };

async function listed(url: string, key: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, text } = await call(`${url}&limit=100${cursor && `&cursor=${cursor}`}`, key);
    if (status !== 200) throw new Error(`${url} could not be listed: ${text}`);
    const { data, nextCursor } = JSON.parse(text) as { data: Row[]; nextCursor: string | null };
    rows.push(...data.map(({ id, version, contractId }) => ({ id, version, contractId })));
    cursor = nextCursor;
  }
  return rows;
}

export interface Piece {
  workspace: string;
  kind: 'timesheet' | 'milestone';
  id: string;
  version: string;
  /** Its payment is due as soon as it is approved. */
  isPaidAtOnce: boolean;
}

interface Kind {
  kind: Piece['kind'];
  /** The payee's destination, which scripts the sandbox provider. */
  destination: string;
  /** The share of all pieces of work. */
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

/** Copies a row, each copy a microsecond newer and with an amount that no other piece of work of the run has. */
const copiesOf = (table: string, amounts: string) => `
  insert into ${table} select copy.* from ${table} t, generate_series(1, $2::int) n,
    jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), ${amounts},
      'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us')) copy
  where t.id = $1`;

const COPIES = {
  timesheet: copiesOf('review.timesheet', `'units_worked', t.units_worked + n * 0.01, 'total', t.total + n * 0.01`),
  milestone: copiesOf('review.milestone', `'amount', t.amount + n * 0.01`),
};

/** Ranges of amounts do not overlap between contracts; in hundredths. */
let amountsBegun = 0;
const APART = 1_000;

/**
 * Creates funds, workers and contracts through the graph, with one piece of work of each kind; the others are copies.
 */
export async function handIn(access: GraphqlAccess, database: Pool, pieces: number): Promise<string[]> {
  await instruct(access, REQUEST_FUNDING, transferOf('900000000', 'EUR'));
  const contracts: string[] = [];
  for (const kind of KINDS) {
    const worker = await registerWorker(access, `Wil Worker ${crypto.randomUUID().slice(0, 8)}`, 'torture.example');
    await payTo(access, worker.id, kind.destination);
    const amount = String(100 + APART * amountsBegun++);
    const { contractId, id } = await firstOf(kind, access, worker, amount);
    await database.query(COPIES[kind.kind], [id, Math.max(Math.round(pieces * kind.share) - 1, 0)]);
    contracts.push(contractId);
  }
  return contracts;
}

async function firstOf({ kind, dueDays = 0 }: Kind, access: GraphqlAccess, worker: { id: string }, amount: string) {
  if (kind === 'timesheet') {
    const byHour = hourly('Tortured', 'EUR', '1', { invoicingSettings: { paymentDueDays: dueDays } });
    const contractId = await contractIn(access, worker, byHour, 'active');
    const period = { periodStart: '2026-10-01', periodEnd: '2026-10-31' };
    const input = { contractId, ...period, unitsWorked: amount };
    return { contractId, ...(await ask<{ id: string }>(access, SUBMIT_TIMESHEET, { input })) };
  }
  const contractId = await contractIn(access, worker, byMilestone('Tortured', [amount]), 'active');
  return { contractId, id: (await submitMilestones(access, contractId))[0]!.id };
}

export interface Paid {
  without: number;
  doubled: number;
  /** The time waited. */
  ms: number;
}

/** Waits until each piece of approved work has its payment, or until the time is over. */
export async function waitForPayments(database: Pool, pieces: readonly Piece[], withinMs: number): Promise<Paid> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await database.query<{ without: number; doubled: number }>(
      `select (count(*) filter (where made = 0))::int as without, (count(*) filter (where made > 1))::int as doubled
        from (select (select count(*) from payments.payment where source_id = piece) as made
          from unnest($1::uuid[]) as piece) as counted`,
      [pieces.map(({ id }) => id)],
    );
    const ms = performance.now() - startedAt;
    if (rows[0]!.without === 0 || ms > withinMs) return { ...rows[0]!, ms };
    await pause(100);
  }
}
