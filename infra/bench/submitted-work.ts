import type { Client } from 'pg';
import { accessTo, ask } from '../demo/graphql-client.js';
import { SUBMIT_TIMESHEET } from '../demo/operations.js';
import { contractIn, hourly, registerWorker } from '../demo/steps.js';
import type { Stack } from '../local/stack.js';

export interface SubmittedWork {
  id: string;
  version: string;
}

/** Copies of one timesheet, each a microsecond newer than the one before. */
const COPY = `insert into review.timesheet
  select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),
    'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us'))).*
  from review.timesheet t, generate_series(1, $2::int) n where t.id = $1`;

/** Timesheets of the first workspace: one handed in as people do, the others its copies, read back from `/v1`. */
export async function submitWork(stack: Stack, database: Client, count: number): Promise<SubmittedWork[]> {
  const access = accessTo(stack.file.graphql, stack.file.workspaces![0]!.id);
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const input = { contractId, periodStart: '2027-02-01', periodEnd: '2027-02-28', unitsWorked: '160' };
  const { id } = await ask<SubmittedWork>(access, SUBMIT_TIMESHEET, { input });
  await database.query(COPY, [id, count - 1]);
  await database.query('vacuum analyze review.timesheet');
  return await listWork(stack, contractId);
}

async function listWork(stack: Stack, contractId: string): Promise<SubmittedWork[]> {
  const headers = { authorization: `Bearer ${stack.file.workspaces![0]!.apiKeys.member}` };
  const work: SubmittedWork[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = await fetch(`${stack.file.rest.url}/timesheets?limit=100&contractId=${contractId}${after}`, {
      headers,
    });
    if (page.status !== 200) throw new Error(`The timesheets could not be listed: ${await page.text()}`);
    const { data, nextCursor } = (await page.json()) as { data: SubmittedWork[]; nextCursor: string | null };
    work.push(...data);
    cursor = nextCursor;
  }
  return work;
}
