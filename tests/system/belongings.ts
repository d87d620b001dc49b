import { randomUUID } from 'node:crypto';
import { ask } from '@payroll/tools/demo/graphql-client';
import { CREATE_DRAFT, DELETE_CONTRACT, MILESTONES_OF, SUBMIT_MILESTONE } from '@payroll/tools/demo/operations';
import { contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import type { Key } from '@payroll/tools/demo/people';
import type { Operation } from '../support/document.js';
import { pathWith, queryOf } from './operation-requests.js';
import { submittedTimesheet, type Json, type System } from './support.js';

/** Resources of a workspace that another one may neither see nor change. */
export interface Belongings {
  /** By kind of resource. */
  ids: Record<string, string>;
  words: { worker: string; title: string; reference: string };
  /** Current versions of work that waits for a decision, by its id. */
  versions: Record<string, string>;
}

/** Creates some of everything in the first workspace, with this key where the API allows it. */
export async function furnish(system: System, key: Key & { memberId: string }): Promise<Belongings> {
  const access = system.access();
  const words = { worker: 'Secretia Hidden', title: `Ours alone ${randomUUID()}`, reference: `ours-${randomUUID()}` };
  const worker = await registerWorker(access, words.worker, 'hidden.example');
  const terms = hourly(words.title, 'EUR', '50', {
    milestones: [1, 2].map((n) => ({ title: `Step ${n}`, amount: String(n) })),
    invoicingSettings: { autoPayEnabled: false },
  });
  const contract = await contractIn(access, worker, terms, 'active');
  const draft = await system.rest(key.secret, 'POST', '/contracts', {
    title: words.title,
    externalReference: words.reference,
  });
  const { id: deleted } = await ask<{ id: string }>(access, CREATE_DRAFT, { input: { title: words.title } });
  await ask(access, DELETE_CONTRACT, { id: deleted });
  const timesheet = await submittedTimesheet(access, contract);
  await submittedTimesheet(access, contract);
  const { nodes } = await ask<{ nodes: { id: string }[] }>(access, MILESTONES_OF, { id: contract });
  const milestone = await ask<{ id: string; version: string }>(access, SUBMIT_MILESTONE, { id: nodes[0]!.id });
  const payment = await paymentOf(system, key, contract);
  await paymentOf(system, key, contract);
  const { memberId: member, id: keyId, principalId: principal } = key;
  return {
    ids: {
      ...{
        contract,
        draft: String(draft.body['id']),
        deleted,
        timesheet: timesheet.id,
        milestone: milestone.id,
        payment,
      },
      ...{ worker: worker.id, business: system.workspaces[0].id, member, key: keyId, principal },
    },
    words,
    versions: { [timesheet.id]: timesheet.version, [milestone.id]: milestone.version },
  };
}

async function paymentOf(system: System, key: Key, contractId: string): Promise<string> {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const approved = await system.rest(key.secret, 'POST', `/timesheets/${id}/approve`, { expectedVersion: version });
  return String(approved.body['paymentId']);
}

/** The address of a second page for each list and for the lists of one contract. */
export async function nextPagesOf(
  system: System,
  routes: readonly Operation[],
  key: Key,
  contractId: string,
): Promise<{ path: string; cursor: string }[]> {
  const filters = { contractId, updatedSince: '1970-01-01T00:00:00Z' };
  const firstPages = routes
    .filter((list) => queryOf(list).includes('cursor'))
    .flatMap((list) => {
      const first = `${pathWith(list, contractId)}?limit=1`;
      const filtered = Object.entries(filters).filter(([name]) => queryOf(list).includes(name));
      return [first, ...filtered.map(([name, value]) => `${first}&${name}=${value}`)];
    });
  return await Promise.all(
    firstPages.map(async (path) => {
      const { body } = await system.rest(key.secret, 'GET', path);
      if (typeof body['nextCursor'] !== 'string')
        throw new Error(`${path} has no second page: ${JSON.stringify(body)}`);
      return { path: `${path}&cursor=${body['nextCursor']}`, cursor: body['nextCursor'] };
    }),
  );
}

/** All resources that its own key can read, by address. */
export async function everything(
  system: System,
  routes: readonly Operation[],
  key: Key,
  { ids }: Belongings,
): Promise<Record<string, Json>> {
  const reads = routes.filter(({ method, isPublic }) => method === 'GET' && !isPublic);
  const paths = new Set(reads.flatMap((route) => Object.values(ids).map((id) => pathWith(route, id))));
  const found = await Promise.all(
    [...paths].map(async (path) => [path, await system.rest(key.secret, 'GET', path)] as const),
  );
  // A balance includes the time at which it was read.
  return Object.fromEntries(
    found.flatMap(([path, { status, body }]) => (status === 200 ? [[path, { ...body, asOf: undefined }]] : [])),
  );
}
