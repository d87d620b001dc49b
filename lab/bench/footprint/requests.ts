import { accessTo, ask, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { ASSIGN_WORKER, CREATE_DRAFT, stepsTo } from '@payroll/tools/demo/operations';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '@payroll/tools/demo/steps';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { load } from '../load.js';
import { signedIn } from '../pages.js';
import { PATHS, type PathName } from '../paths.js';

/** A request that is sent several times, and the processes in which it is counted if these are not all. */
export interface Asked {
  name: string;
  send: () => Promise<unknown>;
  in?: readonly string[];
}

/**
 * One request of each kind, in the demo's first workspace. Resources for requests that work once are prepared `times`
 * times.
 */
export async function requestsTo(file: StackFile, times: number): Promise<Asked[]> {
  const [workspace] = file.workspaces!;
  const { id, apiKeys, mcpTokens } = workspace!;
  const access = accessTo(file.graphql, id);
  const { drafts, timesheets } = await prepare(access, times);
  const sender = (url: string, prefix: string, bearer: string) => {
    const keys = [{ authorization: `Bearer ${bearer}` }];
    const side = { prefix, workspaces: [{ keys, timesheets, contractIds: [] }] };
    const { origin } = new URL(url);
    return (path: PathName) => () =>
      load(origin, { connections: 1, count: 1, request: (n) => PATHS[path].ask(side, n) });
  };
  const v1 = sender(file.rest.url, '/v1', apiKeys.admin);
  const mcp = sender(file.mcp!.url, '', mcpTokens!.admin);
  const visitor = await signedIn(file.app!.url, workspace!, 'admin');
  const [submit = ''] = stepsTo('pending_verification');
  const tell = () => ask(access, submit, { id: drafts.pop()! });
  return [
    { name: 'approve a timesheet', send: v1('approve') },
    { name: 'list timesheets', send: v1('list') },
    { name: 'one timesheet', send: v1('get') },
    { name: 'one event (contract.changed), where it is applied', send: tell, in: ['review', 'payments'] },
    { name: 'the tool get_timesheet', send: mcp('mcp') },
    { name: 'the page /review', send: () => visitor.open(`/workspaces/${id}/review`) },
    { name: 'no request', send: () => Promise.resolve() },
  ];
}

/** Drafts that can be submitted for verification, and timesheets that can be approved, with one more to read. */
async function prepare(access: GraphqlAccess, times: number) {
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const timesheets: Submitted[] = [await submitWeek(access, contractId, times, '40')];
  const drafts: string[] = [];
  for (let n = 0; n < times; n++) {
    timesheets.push(await submitWeek(access, contractId, n, '40'));
    const { id } = await ask<{ id: string }>(access, CREATE_DRAFT, { input: hourly(`Draft ${n}`, 'EUR', '50') });
    await ask(access, ASSIGN_WORKER, { id, workerId: worker.id });
    drafts.push(id);
  }
  return { drafts, timesheets };
}
