import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { accessTo, ask } from '../demo/graphql-client.js';
import { SUBMIT_TIMESHEET } from '../demo/operations.js';
import { contractIn, hourly, registerWorker, type Submitted } from '../demo/steps.js';
import type { Stack } from '../local/assemble-stack.js';
import type { Request } from './load.js';
import type { Target } from './targets.js';

export const pathNames = ['get', 'list', 'create', 'approve'] as const;
export type PathName = (typeof pathNames)[number];

export interface Path {
  title: string;
  count: (connections: number) => number;
  request: (target: Target, n: number) => Request;
}

/** How many timesheets are approved in a round: each can be approved once. */
export const APPROVALS = 320;

/** The hot paths over the timesheets that are there. `take` gives one of a target's submitted ones, each once. */
export function pathsOver(work: readonly Submitted[], take: (target: Target) => Submitted) {
  return {
    get: {
      title: 'GET /v1/timesheets/{id}',
      count: (connections) => 125 * Math.max(connections, 8),
      request: (target, n) => read(target, `/timesheets/${work[n % work.length]!.id}`),
    },
    list: {
      title: 'GET /v1/timesheets (50)',
      count: (connections) => 50 * Math.max(connections, 8),
      request: (target) => read(target, '/timesheets'),
    },
    create: {
      title: 'POST /v1/contracts',
      count: (connections) => 15 * Math.max(connections, 8),
      request: (target) => write(target, '/contracts', DRAFT),
    },
    approve: {
      title: 'POST /v1/timesheets/{id}/approve',
      count: () => APPROVALS,
      request: (target) => {
        const { id, version } = take(target);
        return write(target, `/timesheets/${id}/approve`, { expectedVersion: version });
      },
    },
  } satisfies Record<PathName, Path>;
}

export const DRAFT = {
  title: 'Design system, second half of the year',
  professionalEmail: 'mara@measured.example',
  description: 'Components, tokens and their documentation.',
  employmentType: 'contractor',
  contractType: 'contractor_payg',
  startDate: '2027-02-01',
  endDate: '2027-07-31',
  compensation: { type: 'hourly', currency: 'EUR', rate: 62.5, paymentFrequency: 'monthly' },
  invoicingSettings: { invoiceFrequency: 'monthly', paymentDueDays: 14 },
};

function read({ prefix, headers }: Target, path: string): Request {
  return { method: 'GET', path: prefix + path, headers };
}

function write({ prefix, headers }: Target, path: string, body: object): Request {
  return {
    method: 'POST',
    path: prefix + path,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  };
}

/** Copies of one timesheet, each a microsecond newer than the one before. */
const COPY = `insert into review.timesheet
  select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
    'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us'))).*
  from review.timesheet t, generate_series(1, $2::int) n where t.id = $1`;

/** Timesheets of the first workspace: one handed in as people do, the others its copies, read back from `/v1`. */
export async function submitWork(stack: Stack, database: Client, count: number): Promise<Submitted[]> {
  const access = accessTo(stack.file.graphql, stack.file.workspaces![0]!.id);
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const input = { contractId, periodStart: '2027-02-01', periodEnd: '2027-02-28', unitsWorked: '160' };
  const { id } = await ask<Submitted>(access, SUBMIT_TIMESHEET, { input });
  await database.query(COPY, [id, count - 1]);
  await database.query('vacuum analyze review.timesheet');
  return await listWork(stack, contractId);
}

async function listWork(stack: Stack, contractId: string): Promise<Submitted[]> {
  const headers = { authorization: `Bearer ${stack.file.workspaces![0]!.apiKeys.member}` };
  const url = `${stack.file.rest.url}/timesheets?limit=100&contractId=${contractId}`;
  const work: Submitted[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Response = await fetch(cursor === '' ? url : `${url}&cursor=${cursor}`, { headers });
    if (page.status !== 200) throw new Error(`The timesheets could not be listed: ${await page.text()}`);
    const { data, nextCursor } = (await page.json()) as { data: Submitted[]; nextCursor: string | null };
    work.push(...data);
    cursor = nextCursor;
  }
  return work;
}
