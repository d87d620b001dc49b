import { hash, randomUUID } from 'node:crypto';
import type { Intent } from '../history.js';
import type { Tenant } from '../system/workspaces.js';
import { approveAs } from './application.js';
import type { Clients, Reply } from './clients.js';

/** Tries to read and decide on resources of another workspace, and tries to approve with keys that may only read. */
export async function intrude(clients: Clients, tenant: Tenant, other: Tenant): Promise<void> {
  const admin = tenant.admins[0]!;
  await clients.repeat(1_000, async () => {
    const item = other.work.at(-1);
    if (item) {
      const { id, kind } = item;
      const what = `${tenant.id} reads ${kind} ${id} of ${other.id}`;
      const isRead = (await clients.read(admin.secret, `/${kind}s/{id}`, { id })) !== undefined;
      if (isRead) clients.history.log({ type: 'improper', rule: 'apart', what });
      await clients.approve(item, { ...admin, role: 'stranger', workspace: tenant.id });
    }
    await approveAs(clients, tenant, 'member');
  });
}

/** Sends a viewer's actor token straight to the service that decides. */
export async function bypassEdges(clients: Clients, tenant: Tenant): Promise<void> {
  await clients.repeat(2_000, async () => {
    const item = tenant.work.at(-1);
    if (item?.kind !== 'timesheet') return;
    const { id, version, workspace } = item;
    const about = { does: 'approve', via: 'inside', workspace, about: id, role: 'viewer' } as const;
    const intent: Intent = { ...about, key: randomUUID(), by: tenant.viewer.principalId };
    await clients.insist(intent, () => approveInside(clients, tenant, { id, version, operationId: intent.key }));
  });
}

/** By the actor token for review that admission issues to the viewer. */
async function approveInside({ system }: Clients, { viewer }: Tenant, variables: object): Promise<Reply> {
  const [, , , secret = ''] = viewer.secret.split('_');
  const proof = hash('sha256', secret.slice(0, 50), 'base64url');
  const credential = { kind: 'api_key', id: viewer.id, proof };
  const wanted = { credential, requestId: randomUUID(), clientAddress: '127.0.0.1', limit: 'reads', scope: 'read' };
  const { ADMISSION_URL: url, ADMISSION_SECRET: secretOfFacade } = system.stack.environmentOf('rest-facade');
  const [admitted] = await post<{ tokens?: Record<string, string>; code?: string }[]>(
    `${url}/admission`,
    secretOfFacade!,
    [wanted],
  );
  if (admitted?.tokens === undefined) throw new Error(admitted?.code ?? 'no admission');
  const query = `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveTimesheet(id: $id, expectedVersion: $version, operationId: $operationId) { id status paymentId } }`;
  const { data, errors } = await post<{ data?: object; errors?: { extensions?: { code?: string } }[] }>(
    `http://127.0.0.1:${system.stack.ports.review}/graphql`,
    admitted.tokens['review']!,
    { query, variables },
  );
  const code = errors?.[0]?.extensions?.code ?? (data ? undefined : 'NO_CODE');
  return { text: JSON.stringify(data ?? errors), code };
}

async function post<Body>(url: string, token: string, body: object): Promise<Body> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return (await response.json()) as Body;
}
