import { ask, type GraphqlAccess } from '../demo/graphql-client.js';
import { SUBMIT_TIMESHEET } from '../demo/operations.js';
import { contractIn, hourly, registerWorker } from '../demo/steps.js';
import type { Stack } from '../local/stack.js';

export interface SubmittedWork {
  id: string;
  version: string;
}

/** Timesheets of the first workspace, ready to be read and approved. */
export async function submitWork(stack: Stack, count: number): Promise<SubmittedWork[]> {
  const [workspace] = stack.file.workspaces!;
  const access: GraphqlAccess = {
    url: stack.file.graphql.url,
    token: stack.file.graphql.token!,
    workspaceId: workspace!.id,
  };
  const work: SubmittedWork[] = [];
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  while (work.length < count) {
    const id = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
    for (let day = 1; day <= 28 && work.length < count; day++) {
      const date = `2027-02-${String(day).padStart(2, '0')}`;
      const input = { contractId: id, periodStart: date, periodEnd: date, unitsWorked: '8' };
      work.push(await ask<SubmittedWork>(access, SUBMIT_TIMESHEET, { input }));
    }
  }
  return work;
}
