import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Intent } from '../history.js';
import { approvalOf, draftOf, type Principal, type Tenant, type WorkItem } from '../system/workspaces.js';
import type { Clients } from './clients.js';

/** Interval between two decisions of a person: well under the contract's 60 writes a minute, including retries. */
const EVERY_MS = 1_500;
const REJECTS = 0.04;
/** Share of work on which two reviewers decide at once. */
const RIVALS = 0.05;
/** Share of keys that are sent again after their answer, some of them half a minute later. */
const REPEATS = 0.15;
const LATEST_REPEAT_MS = 30_000;

/** An integrator with an admin's key who decides on submitted work. */
export async function review(clients: Clients, tenant: Tenant, admin: Principal): Promise<void> {
  await clients.think(EVERY_MS);
  await clients.repeat(EVERY_MS, async () => {
    const item = clients.take(tenant);
    if (!item) return;
    const rival = tenant.admins[Math.floor(clients.random() * tenant.admins.length)]!;
    const rivals = clients.random() < RIVALS && rival !== admin ? [rival] : [];
    await Promise.all([admin, ...rivals].map((each) => decideOn(clients, item, each)));
  });
}

async function decideOn(clients: Clients, item: WorkItem, { principalId: by, secret }: Principal): Promise<void> {
  const does = clients.random() < REJECTS ? 'reject' : 'approve';
  const approval = approvalOf(item);
  const rejection = { ...approval, path: `/${item.kind}s/{id}/reject` };
  const body = { ...approval.body, reason: 'Not what was agreed' };
  const request = does === 'approve' ? approval : { ...rejection, body };
  const about = { does, via: 'v1', workspace: item.workspace, about: item.id, role: 'admin' } as const;
  const intent: Intent = { ...about, by, key: request.idempotencyKey! };
  const send = () => clients.send(secret, request);
  const ended = await clients.insist(intent, send);
  clients.noteDecision(item, ended, does);
  if (ended.kind !== 'ok' || clients.random() > REPEATS) return;
  clients.beside(async () => {
    const laterMs = clients.random() < 0.5 ? 0 : clients.random() * LATEST_REPEAT_MS;
    const until = performance.now() + laterMs;
    while (!clients.isOver && performance.now() < until) await clients.think(200);
    if ((await clients.insist(intent, send)).kind === 'ok') clients.tally.suppressed += 1;
  });
}

/** After a switch: acknowledged decisions that are lost have to be made again, as their integrator sees on the next read. */
export async function findLost(clients: Clients, copiedAt: number): Promise<void> {
  const switched = clients.history.now;
  const tenants = new Map(clients.system.tenants.map((tenant) => [tenant.id, tenant]));
  const doubtful = clients.acknowledged.filter(({ at, from }) => at > copiedAt && from < switched);
  for (const { item } of new Map(doubtful.map((each) => [each.item.id, each])).values()) {
    if (clients.isOver) return;
    const { admins, work } = tenants.get(item.workspace)!;
    const key = admins.at(-1)!.secret;
    const found = await clients.read<{ status: string; version: string }>(key, `/${item.kind}s/{id}`, { id: item.id });
    if (found?.status === 'submitted') work.push({ ...item, version: found.version });
  }
}

/** Creates drafts, each with its own reference. */
export async function draft(clients: Clients, { id: workspace, member }: Tenant): Promise<void> {
  await clients.repeat(EVERY_MS, async () => {
    const reference = `torture-${randomUUID()}`;
    const milestones = [{ title: 'A step', amount: 10 }];
    const request = draftOf({ title: 'Drafted under torture', externalReference: reference, milestones });
    const about = { does: 'create', via: 'v1', workspace, about: reference, role: 'member' } as const;
    const intent: Intent = { ...about, by: member.principalId, key: request.idempotencyKey! };
    await clients.insist(intent, () => clients.send(member.secret, request));
  });
}

const ASSISTANT_MS = 2_000;
const HOST = { name: 'torture', version: '1' };
const CAPABILITIES = {
  capabilities: { elicitation: { form: {} } },
  versionNegotiation: { mode: { pin: '2026-07-28' } },
} as const;

/** An assistant whose person always confirms. A failed call is not repeated, because it may have been applied. */
export async function assist(clients: Clients, tenant: Tenant, token: string): Promise<void> {
  const { history } = clients;
  await clients.repeat(ASSISTANT_MS, async () => {
    const item = clients.take(tenant);
    if (!item) return;
    const { id, kind, workspace } = item;
    const key = randomUUID();
    const about = { does: 'approve', via: 'mcp', workspace, about: id } as const;
    const number = history.invoke({ ...about, key, by: 'assistant', role: 'admin' });
    const from = history.now;
    const content = await call(clients, token, `approve_${kind}`, { id, intentId: key }).catch(String);
    if (typeof content === 'string') return history.log({ type: 'unknown', try: number, why: content });
    const body = JSON.stringify(content);
    history.log({ type: 'ok', try: number, body });
    clients.noteDecision(item, { kind: 'ok', body, from, at: history.now });
  });
}

async function call(clients: Clients, token: string, name: string, given: Record<string, unknown>): Promise<object> {
  const host = new Client(HOST, CAPABILITIES);
  host.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  const url = new URL(`http://127.0.0.1:${clients.system.proxies.mcp.port}/mcp`);
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
