import { ask, type GraphqlAccess } from '../demo/graphql-client.js';
import { ACTIVATION, CREATE_DRAFT, SUBMIT_TIMESHEET } from '../demo/operations.js';
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
  while (work.length < count) {
    const contract = await ask<{ id: string }>(access, CREATE_DRAFT, {
      input: {
        title: 'Measured',
        contractType: 'contractor_payg',
        compensation: { type: 'hourly', currency: 'EUR', rate: '50' },
      },
    });
    for (const step of ACTIVATION) await ask(access, step, { id: contract.id });
    for (let day = 1; day <= 28 && work.length < count; day++) {
      const date = `2027-02-${String(day).padStart(2, '0')}`;
      const input = { contractId: contract.id, periodStart: date, periodEnd: date, unitsWorked: '8' };
      work.push(await ask<SubmittedWork>(access, SUBMIT_TIMESHEET, { input }));
    }
  }
  return work;
}
