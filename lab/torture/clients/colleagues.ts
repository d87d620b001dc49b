import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type GraphqlAccess, type GraphqlAnswer, sendGraphql } from '@payroll/tools/demo/graphql-client';
import type { Intent } from '../history.js';
import type { Piece, Tenant } from '../system/workspaces.js';
import type { Crew } from './crew.js';
import type { Answer } from './door.js';
import { noteDecision } from './integrators.js';

const EVERY_MS = 300;

const fields = 'id status version paymentId';
const APPROVE = {
  timesheet: `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveTimesheet(id: $id, expectedVersion: $version, operationId: $operationId) { ${fields} } }`,
  milestone: `mutation ($id: ID!, $version: String!, $operationId: ID) {
    approveMilestone(id: $id, expectedVersion: $version, operationId: $operationId) { ${fields} } }`,
};
const CHANGE_ROLE = `mutation ($id: ID!, $role: Role!, $operationId: ID) {
  changeMemberRole(id: $id, role: $role, operationId: $operationId) { id role } }`;

/** The application itself approves, through the graph. */
export async function approveByGraph(crew: Crew, tenant: Tenant): Promise<void> {
  while (!crew.isOver) {
    const piece = crew.take(tenant);
    if (piece) await approveInGraph(crew, tenant, piece);
    await crew.breathe(EVERY_MS);
  }
}

export async function approveInGraph(crew: Crew, tenant: Tenant, piece: Piece): Promise<void> {
  const { id, version, kind, workspace } = piece;
  const about = { does: 'approve', door: 'graph', workspace, about: id } as const;
  const intent: Intent = { ...about, key: randomUUID(), by: 'service', role: 'admin' };
  const variables = { id, version, operationId: intent.key };
  const ended = await crew.insist(intent, () => ask(crew, tenant.access, APPROVE[kind], variables));
  noteDecision(crew, piece, intent, ended);
}

/** Makes a member a viewer and an admin again, and tries their key in between. */
export async function changeRoleRepeatedly(crew: Crew, tenant: Tenant): Promise<void> {
  const { memberId, principalId, secret } = tenant.turncoat;
  const change = async (does: 'demote' | 'promote'): Promise<boolean> => {
    const about = { does, door: 'graph', workspace: tenant.id, about: memberId } as const;
    const intent: Intent = { ...about, key: randomUUID(), by: principalId, role: 'admin' };
    const variables = { id: memberId, role: does === 'demote' ? 'viewer' : 'admin', operationId: intent.key };
    return (await crew.insist(intent, () => ask(crew, tenant.access, CHANGE_ROLE, variables))).kind === 'ok';
  };
  while (!crew.isOver) {
    if (await change('demote')) {
      for (let tries = 0; tries < 3 && !crew.isOver; tries++) {
        await approveAs(crew, tenant, { principalId, secret }, 'turncoat');
      }
    }
    await change('promote');
    await crew.breathe(2_000);
  }
}

/** Tries approvals as a principal that may not approve: none may ever be acknowledged. */
export async function approveAs(
  crew: Crew,
  tenant: Tenant,
  { principalId, secret }: { principalId: string; secret: string },
  role: string,
): Promise<void> {
  const piece = tenant.work.at(-1);
  if (!piece) return;
  const { id, kind, version, workspace } = piece;
  const about = { does: 'approve', door: 'v1', workspace, about: id } as const;
  const intent: Intent = { ...about, key: randomUUID(), by: principalId, role };
  const request = { method: 'POST', path: `/${kind}s/{id}/approve`, id, key: secret } as const;
  const body = { expectedVersion: version };
  await crew.insist(intent, () => crew.door.ask({ ...request, idempotencyKey: intent.key, body }));
  await crew.breathe(500);
}

async function ask(crew: Crew, access: GraphqlAccess, query: string, variables: object): Promise<Answer> {
  const { data, errors }: GraphqlAnswer = await sendGraphql(throughProxy(crew, access), query, variables);
  const code = errors?.[0]?.extensions?.code ?? (data ? undefined : 'NO_CODE');
  return { status: 200, text: JSON.stringify(data), code, retryAfterMs: 1_000 };
}

/** The graph behind its proxy, which faults strike. */
export function throughProxy(crew: Crew, access: GraphqlAccess): GraphqlAccess {
  return { ...access, url: `http://127.0.0.1:${crew.stage.ways.graph.port}/graphql` };
}

const ASSISTANT_MS = 2_000;
const HOST = { name: 'torture', version: '1' };
const CAPABILITIES = {
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: { pin: '2026-07-28' } },
} as const;

/** An assistant whose person always confirms. A failed call is not repeated, because it may have been applied. */
export async function assist(crew: Crew, tenant: Tenant, token: string): Promise<void> {
  while (!crew.isOver) {
    const piece = crew.take(tenant);
    if (piece) {
      const { id, kind, workspace } = piece;
      const about = { does: 'approve', door: 'mcp', workspace, about: id } as const;
      const intent: Intent = { ...about, key: randomUUID(), by: 'assistant', role: 'admin' };
      const number = crew.history.invoke(intent);
      const from = crew.history.now;
      const body = await call(crew, token, `approve_${kind}`, { id, intentId: intent.key }).catch(String);
      if (typeof body === 'string') crew.history.log({ type: 'unknown', try: number, why: body });
      else {
        const text = JSON.stringify(body);
        crew.history.log({ type: 'ok', try: number, body: text });
        noteDecision(crew, piece, intent, { kind: 'ok', body: text, from, at: crew.history.now });
      }
    }
    await crew.breathe(ASSISTANT_MS);
  }
}

async function call(crew: Crew, token: string, name: string, given: Record<string, unknown>): Promise<object> {
  const host = new Client(HOST, CAPABILITIES);
  host.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  const url = new URL(`http://127.0.0.1:${crew.stage.ways.mcp.port}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  try {
    await host.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const { isError, content, structuredContent } = await host.callTool({ name, arguments: given });
    if (isError === true || structuredContent === undefined) throw new Error(JSON.stringify(content));
    return structuredContent as object;
  } finally {
    await host.close().catch(() => undefined);
  }
}
