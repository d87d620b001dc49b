import type { Client } from 'pg';
import { accessTo, ask } from '../demo/graphql-client.js';
import { SUBMIT_TIMESHEET } from '../demo/operations.js';
import { contractIn, hourly, registerWorker, type Submitted } from '../demo/steps.js';
import type { Stack } from '../local/assemble-stack.js';

/** What the requests are about. */
export interface Work {
  /** Submitted timesheets that are only read. */
  timesheets: readonly Submitted[];
  contractIds: readonly string[];
  /** Submitted ones that are left to approve, of our tables and of the bare handler's: each can be approved once. */
  left: { ours: Submitted[]; bare: Submitted[] };
}

/** Timesheets that are read and stay submitted. */
const READ = 100;
/** More than a page of them. */
const CONTRACTS = 60;

/** Rows of a table like one of its rows, each a microsecond newer than the one before. */
const copiesOf = (table: string) => `insert into ${table} select copy.* from ${table} t, generate_series(1, $2::int) n,
  jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
    'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us')) copy
  where t.id = $1`;

/** In the first workspace: one timesheet handed in as people do, the others its copies, read back from `/v1`. */
export async function submitWork(stack: Stack, database: Client, approvals: number): Promise<Work> {
  const access = accessTo(stack.file.graphql, stack.file.workspaces![0]!.id);
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const input = { contractId, periodStart: '2027-02-01', periodEnd: '2027-02-28', unitsWorked: '160' };
  const { id } = await ask<Submitted>(access, SUBMIT_TIMESHEET, { input });
  await database.query(copiesOf('review.timesheet'), [id, READ + approvals - 1]);
  await database.query(copiesOf('contracts.contract'), [contractId, CONTRACTS]);
  await database.query('vacuum analyze review.timesheet, contracts.contract');
  const all = await listed<Submitted>(stack, `/timesheets?contractId=${contractId}`);
  const contracts = await listed<{ id: string }>(stack, '/contracts?status=active');
  const left = all.slice(READ);
  return {
    timesheets: all.slice(0, READ),
    contractIds: contracts.map((contract) => contract.id),
    // The copies are all at their first version, which the bare handler calls by its number.
    left: { ours: left, bare: left.map((each) => ({ id: each.id, version: '1' })) },
  };
}

/** All pages of a list of `/v1`. */
async function listed<Item>(stack: Stack, path: string): Promise<Item[]> {
  const headers = { authorization: `Bearer ${stack.file.workspaces![0]!.apiKeys.member}` };
  const url = `${stack.file.rest.url}${path}&limit=100`;
  const items: Item[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Response = await fetch(cursor === '' ? url : `${url}&cursor=${cursor}`, { headers });
    if (page.status !== 200) throw new Error(`${path} could not be listed: ${await page.text()}`);
    const { data, nextCursor } = (await page.json()) as { data: Item[]; nextCursor: string | null };
    items.push(...data);
    cursor = nextCursor;
  }
  return items;
}
