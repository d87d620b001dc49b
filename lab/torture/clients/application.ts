import { randomUUID } from 'node:crypto';
import { ask, type GraphqlAccess, instruct, sendGraphql } from '@payroll/tools/demo/graphql-client';
import type { Intent } from '../history.js';
import type { Tenant, WorkItem } from '../system/workspaces.js';
import type { Clients, Ended, Reply } from './clients.js';

const fields = 'id status version paymentId';
const APPROVE = {
  timesheet: `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveTimesheet(id: $id, expectedVersion: $version, operationId: $operationId) { ${fields} } }`,
  milestone: `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveMilestone(id: $id, expectedVersion: $version, operationId: $operationId) { ${fields} } }`,
};
const CHANGE_ROLE = `mutation ($id: ID!, $role: Role!, $operationId: ID) {
  changeMemberRole(id: $id, role: $role, operationId: $operationId) { id role } }`;

/** The graph behind its proxy, at which faults are injected. */
const throughProxy = ({ system }: Clients, access: GraphqlAccess): GraphqlAccess => ({
  ...access,
  url: `http://127.0.0.1:${system.proxies.graph.port}/graphql`,
});

async function mutate(
  clients: Clients,
  { access, id: workspace }: Tenant,
  intent: Omit<Intent, 'via' | 'workspace' | 'key' | 'role'>,
  mutation: { query: string; variables: object },
): Promise<Ended> {
  const key = randomUUID();
  const send = async (): Promise<Reply> => {
    const variables = { ...mutation.variables, operationId: key };
    const { data, errors } = await sendGraphql(throughProxy(clients, access), mutation.query, variables);
    const code = errors?.[0]?.extensions?.code ?? (data ? undefined : 'NO_CODE');
    return { text: JSON.stringify(data), code };
  };
  return await clients.insist({ ...intent, via: 'graph', workspace, key, role: 'admin' }, send);
}

/** The application itself approves, through the graph. */
export async function approveByGraph(clients: Clients, tenant: Tenant): Promise<void> {
  await clients.repeat(300, async () => {
    const item = clients.take(tenant);
    if (item) await approveInGraph(clients, tenant, item);
  });
}

async function approveInGraph(clients: Clients, tenant: Tenant, item: WorkItem): Promise<void> {
  const { id, version, kind } = item;
  const mutation = { query: APPROVE[kind], variables: { id, version } };
  clients.noteDecision(item, await mutate(clients, tenant, { does: 'approve', about: id, by: 'service' }, mutation));
}

/** Makes a member a viewer and an admin again, and tries their key in between. */
export async function changeRoleRepeatedly(clients: Clients, tenant: Tenant): Promise<void> {
  const { memberId, principalId: by } = tenant.demoted;
  const change = async (does: 'demote' | 'promote'): Promise<boolean> => {
    const variables = { id: memberId, role: does === 'demote' ? 'viewer' : 'admin' };
    const ended = await mutate(clients, tenant, { does, about: memberId, by }, { query: CHANGE_ROLE, variables });
    return ended.kind === 'ok';
  };
  await clients.repeat(2_000, async () => {
    if (await change('demote')) {
      for (let tries = 0; tries < 3 && !clients.isOver; tries++) await approveAs(clients, tenant, 'demoted');
    }
    await change('promote');
  });
}

/** Tries approvals as a principal that may not approve: none may ever be acknowledged. */
export async function approveAs(clients: Clients, tenant: Tenant, role: 'demoted' | 'member'): Promise<void> {
  const item = tenant.work.at(-1);
  if (!item) return;
  await clients.approve(item, { ...tenant[role], role });
  await clients.think(500);
}

const UNCLAIMED = `{ unclaimedOrders(status: open, limit: 100) { nodes { id idempotencyKey } } }`;
const WORK = {
  timesheet: 'query ($id: ID!) { timesheet(id: $id) { status version } }',
  milestone: 'query ($id: ID!) { milestone(id: $id) { status version } }',
};
const DISMISS = `mutation ($orderId: ID!) {
  requestDismissal(orderId: $orderId, reason: "Its work was rejected") { id } }`;

/** Two people of finance who end unclaimed orders during the run: until then the payments of these workers are held. */
export async function endUnclaimedOrders(clients: Clients, tenant: Tenant): Promise<void> {
  await clients.repeat(10_000, () => endOpenOrders(clients, tenant).catch(() => undefined));
}

/**
 * Work whose approval a switch has lost is approved again, and its payment takes the order over. If it was rejected
 * instead, the order is dismissed. Throws while a fault stands in the way.
 */
export async function endOpenOrders(clients: Clients, tenant: Tenant): Promise<void> {
  const access = throughProxy(clients, tenant.access);
  const [token] = access.finance;
  const { nodes } = await ask<{ nodes: { id: string; idempotencyKey: string }[] }>({ ...access, token }, UNCLAIMED);
  for (const { id: orderId, idempotencyKey } of nodes) {
    const [kind, id] = idempotencyKey.split(':') as [WorkItem['kind'], string];
    const { status, version } = await ask<{ status: string; version: string }>(access, WORK[kind], { id });
    if (status === 'submitted') {
      await approveInGraph(clients, tenant, { workspace: tenant.id, kind, id, version, isPaidAtOnce: true });
    }
    if (status === 'rejected') await instruct(access, DISMISS, { orderId });
  }
}
