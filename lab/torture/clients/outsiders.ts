import { hash, randomUUID } from 'node:crypto';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { Intent } from '../history.js';
import type { Tenant } from '../system/workspaces.js';
import type { Crew } from './crew.js';
import { approveAs } from './colleagues.js';
import type { Answer } from './door.js';

const EVERY_MS = 1_000;

/** Tries to read and decide on resources of another workspace, and tries to approve with keys that may only read. */
export async function intrude(crew: Crew, tenant: Tenant, other: Tenant): Promise<void> {
  const [{ secret: key, principalId }] = tenant.admins as [Tenant['admins'][number]];
  while (!crew.isOver) {
    const piece = other.work.at(-1);
    if (piece) {
      const { id, kind, version } = piece;
      const read = await crew.door.ask({ method: 'GET', path: `/${kind}s/{id}`, id, key }).catch(() => null);
      if (read?.status === 200) {
        crew.history.log({ type: 'improper', rule: 'apart', what: `${tenant.id} reads ${kind} ${id} of ${other.id}` });
      }
      const about = { does: 'approve', door: 'v1', workspace: tenant.id, about: id } as const;
      const intent: Intent = { ...about, key: randomUUID(), by: principalId, role: 'stranger' };
      const request = { method: 'POST', path: `/${kind}s/{id}/approve`, id, key } as const;
      const body = { expectedVersion: version };
      await crew.insist(intent, () => crew.door.ask({ ...request, idempotencyKey: intent.key, body }));
    }
    await approveAs(crew, tenant, tenant.member, 'member');
    await crew.breathe(EVERY_MS);
  }
}

/** Bypasses the edges: sends a viewer's actor token straight to the service that decides. */
export async function comePastTheEdge(crew: Crew, tenant: Tenant): Promise<void> {
  const { stack } = crew.stage;
  while (!crew.isOver) {
    const piece = tenant.work.at(-1);
    if (piece?.kind === 'timesheet') {
      const { id, version, workspace } = piece;
      const about = { does: 'approve', door: 'inside', workspace, about: id } as const;
      const intent: Intent = { ...about, key: randomUUID(), by: tenant.viewer.principalId, role: 'viewer' };
      const variables = { id, version, operationId: intent.key };
      await crew.insist(
        intent,
        async () => await approveInside(await actorOf(stack, tenant), stack.ports.review, variables),
      );
    }
    await crew.breathe(2 * EVERY_MS);
  }
}

/** The actor token for review that admission issues to the viewer. */
async function actorOf(stack: Stack, { viewer }: Tenant): Promise<string> {
  const [, , , secret = ''] = viewer.secret.split('_');
  const proof = hash('sha256', secret.slice(0, 50), 'base64url');
  const credential = { kind: 'api_key', id: viewer.id, proof };
  const asked = { credential, requestId: randomUUID(), clientAddress: '127.0.0.1', limit: 'reads', scope: 'read' };
  const { ADMISSION_URL: url, ADMISSION_SECRET: secretOfFacade } = stack.environmentOf('rest-facade');
  const response = await fetch(`${url}/admission`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretOfFacade}`, 'content-type': 'application/json' },
    body: JSON.stringify([asked]),
    signal: AbortSignal.timeout(3_000),
  });
  const [admitted] = (await response.json()) as { tokens?: Record<string, string>; code?: string }[];
  if (admitted?.tokens === undefined) throw new Error(admitted?.code ?? 'no admission');
  return admitted.tokens['review']!;
}

async function approveInside(token: string, port: number, variables: object): Promise<Answer> {
  const query = `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveTimesheet(id: $id, expectedVersion: $version, operationId: $operationId) { id status paymentId } }`;
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const { data, errors } = JSON.parse(text) as { data?: object; errors?: { extensions?: { code?: string } }[] };
  const code = errors?.[0]?.extensions?.code ?? (data ? undefined : 'NO_CODE');
  return { status: response.status, text, code, retryAfterMs: 1_000 };
}
