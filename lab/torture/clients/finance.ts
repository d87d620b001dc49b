import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import type { Tenant } from '../system/workspaces.js';
import { approveInGraph, throughProxy } from './colleagues.js';
import type { Crew } from './crew.js';

const EVERY_MS = 10_000;

const UNCLAIMED = `{ unclaimedOrders(status: open, limit: 100) { nodes { id idempotencyKey } } }`;
const WORK = {
  timesheet: 'query ($id: ID!) { timesheet(id: $id) { status version } }',
  milestone: 'query ($id: ID!) { milestone(id: $id) { status version } }',
};
const DISMISS = `mutation ($orderId: ID!) {
  requestDismissal(orderId: $orderId, reason: "Its work was rejected") { id } }`;

/** Two people of finance who end unclaimed orders during the run: until then the payments of these workers are held. */
export async function endUnclaimedOrders(crew: Crew, tenant: Tenant): Promise<void> {
  while (!crew.isOver) {
    await endOpenOrders(crew, tenant).catch(() => undefined);
    await crew.breathe(EVERY_MS);
  }
}

/**
 * Work whose approval a switch has lost is approved again, and its payment takes the order over. If it was rejected
 * instead, the order is dismissed. Throws while a fault stands in the way.
 */
export async function endOpenOrders(crew: Crew, tenant: Tenant): Promise<void> {
  const access = throughProxy(crew, tenant.access);
  const [token] = access.finance;
  const { nodes } = await ask<{ nodes: { id: string; idempotencyKey: string }[] }>({ ...access, token }, UNCLAIMED);
  for (const { id: orderId, idempotencyKey } of nodes) {
    const [kind, id] = idempotencyKey.split(':') as [keyof typeof WORK, string];
    const { status, version } = await ask<{ status: string; version: string }>(access, WORK[kind], { id });
    if (status === 'submitted') {
      await approveInGraph(crew, tenant, { workspace: tenant.id, kind, id, version, isPaidAtOnce: true });
    }
    if (status === 'rejected') await instruct(access, DISMISS, { orderId });
  }
}
