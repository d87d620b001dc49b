import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, failureOf, rpc, yes } from '../../../mcp/test/support/modern-host.js';
import { decide } from '../../../services/workspaces/test/oauth/consenting.js';
import { Keeper } from '../../../services/workspaces/test/oauth/keeper.js';
import { Browser } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { SUBMIT_MILESTONE } from '@payroll/tools/demo/operations';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import { furnish, type Belongings } from '../belongings.js';
import { codeOf, modernHost, NO, oldHost, oldHostOfCallsAlone, YES, type ConnectHost } from './hosts.js';
import { ownerOf, type Owner } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { startSystem, submittedTimesheet, type Json, type System } from '../support.js';

// Assistants over everything behind /mcp: tokens of the authorization server, admission, /v1 and the services.

let system: System;
let owner: Owner;
let url: string;
let tokens: { admin: string; member: string; viewer: string };
let has: Belongings['ids'];
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedPeopleAndAssistants));
  owner = started.use(await ownerOf(system));
  url = system.stack.file.mcp!.url;
  tokens = system.workspaces[0].mcpTokens!;
  has = (await furnish(system, await newPrincipal(system.access()))).ids;
});
afterAll(async () => await started.disposeAsync());

const v1 = async (path: string): Promise<Json> =>
  (await system.rest(system.workspaces[0].apiKeys.admin, 'GET', path)).body;

const newTimesheet = async (): Promise<string> => (await submittedTimesheet(system.access(), has['contract']!)).id;

async function newMilestone(): Promise<string> {
  const input = { contractId: has['contract'], title: 'One more step', amount: '120' };
  const add = 'mutation ($input: MilestoneInput!) { addMilestone(input: $input) { id } }';
  const { id } = await ask<{ id: string }>(system.access(), add, { input });
  await ask(system.access(), SUBMIT_MILESTONE, { id });
  return id;
}

/** How many decisions were made about it, and how many payments it has. */
async function traces(id: string): Promise<{ decisions: number; payments: number }> {
  const count = async (statement: string): Promise<number> =>
    Number((await owner.database.query<{ count: string }>(statement, [id])).rows[0]!.count);
  return {
    decisions: await count(
      `select count(*) from review.audit_entry where subject_id = $1 and action ~ 'approve|reject'`,
    ),
    payments: await count('select count(*) from payments.payment where source_id = $1'),
  };
}

const REVOKE = 'mutation ($id: ID!) { revokeMcpConnection(id: $id) { id } }';

const intent = (): { intentId: string } => ({ intentId: randomUUID() });

describe.each<[string, ConnectHost]>([
  ['2026-07-28', modernHost],
  ['the revisions up to 2025-11-25', oldHost],
  ['the same, without a stream beside its calls', oldHostOfCallsAlone],
])('a host of %s', (_era, connect) => {
  it('reads the same as /v1 through ten tools, the resource and the prompt', async () => {
    await using host = await connect(url, tokens.viewer);
    const { contract, timesheet, milestone, payment } = has;
    const reads: [string, Record<string, unknown>, string][] = [
      ['get_business', {}, '/business'],
      ['list_contracts', { includeDeleted: 'true' }, '/contracts?limit=25&includeDeleted=true'],
      ['get_contract', { id: contract }, `/contracts/${contract}`],
      ['list_timesheets', { status: 'submitted' }, '/timesheets?limit=25&status=submitted'],
      ['get_timesheet', { id: timesheet }, `/timesheets/${timesheet}`],
      ['list_milestones', { contractId: contract, limit: 1 }, `/contracts/${contract}/milestones?limit=1`],
      ['get_milestone', { id: milestone }, `/milestones/${milestone}`],
      ['list_payments', { contractId: contract }, `/payments?limit=25&contractId=${contract}`],
      ['get_payment', { id: payment }, `/payments/${payment}`],
      ['get_balances', {}, '/balances'],
    ];
    expect(await host.tools()).toEqual(reads.map(([name]) => name));
    for (const [name, given, path] of reads) {
      const { content, structuredContent } = await host.call(name, given);
      // A balance includes the time at which it was read.
      expect({ ...structuredContent, asOf: null }, name).toEqual({ ...(await v1(path)), asOf: null });
      expect(JSON.parse(content[0]!.text), name).toEqual(structuredContent);
    }
    expect(await host.business()).toEqual(await v1('/business'));
    expect(await host.review()).toMatchObject({ type: 'text', text: expect.stringContaining('Automatic payment') });
  });

  it('drafts and decides through five tools, each once, after a person has seen what it is about', async () => {
    const shown: string[] = [];
    await using host = await connect(url, tokens.admin, (message) => {
      shown.push(message);
      return YES;
    });
    expect(await host.tools()).toHaveLength(15);
    const draft = await host.call('create_contract_draft', { title: 'Drafted by an assistant', ...intent() });
    expect(await v1(`/contracts/${String(draft.structuredContent!['id'])}`)).toMatchObject({ status: 'draft' });
    for (const [kind, add] of [['timesheet', newTimesheet] as const, ['milestone', newMilestone] as const]) {
      const [good, bad] = [await add(), await add()];
      const approved = await host.call(`approve_${kind}`, { id: good, ...intent() });
      expect(approved.structuredContent).toMatchObject({ status: 'approved', paymentId: expect.any(String) });
      expect(await traces(good)).toEqual({ decisions: 1, payments: 1 });
      const rejected = await host.call(`reject_${kind}`, { id: bad, reason: ' Not what was agreed. ', ...intent() });
      expect(rejected.structuredContent).toMatchObject({ status: 'rejected', paymentId: null });
      expect(await traces(bad)).toEqual({ decisions: 1, payments: 0 });
    }
    expect(shown).toEqual([
      expect.stringContaining('“Drafted by an assistant”'),
      expect.stringMatching(/“Northwind Studio”[^]*“Secretia Hidden”[^]*500\.00 EUR[^]*Automatic payment: off/),
      expect.stringMatching(/Reason: “Not what was agreed\.”/),
      expect.stringMatching(/120(\.00)? EUR[^]*processed immediately/),
      expect.stringMatching(/Reason: “Not what was agreed\.”/),
    ]);
  });

  it('a connection is a separate principal: its references and operation ids are its own, and count once', async () => {
    await using host = await connect(url, tokens.admin, () => YES);
    const draft = { title: 'Referred to', externalReference: `ref-${randomUUID()}`, ...intent() };
    const { structuredContent: made } = await host.call('create_contract_draft', draft);
    const key = system.workspaces[0].apiKeys.admin;
    const { title, externalReference } = draft;
    expect((await system.rest(key, 'POST', '/contracts', { title, externalReference }, draft.intentId)).status).toBe(
      201,
    );
    const found = await host.call('list_contracts', { externalReference });
    expect(found.structuredContent).toMatchObject({ data: [{ id: made!['id'] }], hasMore: false });
    const again = { ...draft, ...intent() };
    expect(codeOf(await host.call('create_contract_draft', again))).toBe('EXTERNAL_REFERENCE_EXISTS');
    const another = { ...draft, title: 'Something else' };
    expect(codeOf(await host.call('create_contract_draft', another))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('a host of a member may draft and may not decide', async () => {
    const id = await newTimesheet();
    await using host = await connect(url, tokens.member, () => YES);
    expect((await host.tools()).filter((name) => !/^(get|list)_/.test(name))).toEqual(['create_contract_draft']);
    expect(codeOf(await host.call('approve_timesheet', { id, ...intent() }))).toBe('INSUFFICIENT_SCOPE');
    expect(await traces(id)).toEqual({ decisions: 0, payments: 0 });
  });

  it('writes nothing if the person declines or the host cannot ask anyone', async () => {
    const id = await newTimesheet();
    await using refused = await connect(url, tokens.admin, () => NO);
    expect(codeOf(await refused.call('approve_timesheet', { id, ...intent() }))).toBe('CONFIRMATION_DECLINED');
    await using alone = await connect(url, tokens.admin);
    expect(codeOf(await alone.call('approve_timesheet', { id, ...intent() }))).toBe('CONFIRMATION_UNSUPPORTED');
    expect(await traces(id)).toEqual({ decisions: 0, payments: 0 });
  });
});

it('an old host whose process has died gets 404, begins a new session and continues', async () => {
  await using host = await oldHost(url, tokens.viewer);
  await system.stack.kill('mcp');
  await system.stack.ready('mcp');
  await expect(host.tools()).rejects.toMatchObject({ code: 404 });
  await using again = await oldHost(url, tokens.viewer);
  expect(await again.tools()).toHaveLength(10);
});

describe('a review', () => {
  const first = async (given: object): Promise<{ requestState: string }> => {
    const { result } = await callTool(url, 'approve_timesheet', given, { token: tokens.admin });
    return { requestState: result!.requestState! };
  };

  it('a confirmation is redeemed once, even if two processes receive it or /v1 was down in between', async () => {
    await using other = await system.stack.another('mcp');
    const given = { id: await newTimesheet(), ...intent() };
    const round = { token: tokens.admin, inputResponses: yes, ...(await first(given)) };
    await system.stack.stop('rest-facade');
    expect(failureOf(await callTool(url, 'approve_timesheet', given, round)).code).toBe('MCP_UNAVAILABLE');
    await system.stack.start('rest-facade');
    const elsewhere = `${new URL(other.url).origin}/mcp`;
    const answers = await Promise.all(
      [url, elsewhere, url, elsewhere].map((to) => callTool(to, 'approve_timesheet', given, round)),
    );
    const done = answers.filter(({ result }) => !result?.isError);
    expect(new Set(done.map(({ result }) => JSON.stringify(result!.structuredContent))).size).toBe(1);
    for (const answer of answers.filter((each) => each.result?.isError)) {
      expect(failureOf(answer).code).toBe('OPERATION_IN_PROGRESS');
    }
    expect(await traces(given.id)).toEqual({ decisions: 1, payments: 1 });
  });

  it('a confirmation is refused in another workspace, and for work that has changed since', async () => {
    const given = { id: await newTimesheet(), ...intent() };
    const round = { inputResponses: yes, ...(await first(given)) };
    const { admin: token } = system.workspaces[1].mcpTokens!;
    const strange = await callTool(url, 'approve_timesheet', given, { token, ...round });
    expect(failureOf(strange).code).toBe('CONFIRMATION_MISMATCH');
    const version = String((await v1(`/timesheets/${given.id}`))['version']);
    const elsewhere = { expectedVersion: version, reason: 'Decided at the same time.' };
    await system.rest(system.workspaces[0].apiKeys.admin, 'POST', `/timesheets/${given.id}/reject`, elsewhere);
    const late = await callTool(url, 'approve_timesheet', given, { token: tokens.admin, ...round });
    expect(failureOf(late)).toMatchObject({
      code: 'STALE_RESOURCE_VERSION',
      status: 409,
      requestId: expect.any(String),
    });
    expect(await traces(given.id)).toEqual({ decisions: 1, payments: 0 });
  });
});

/** Signs in a host that knows only the server's address: its SDK discovers the rest, and a person consents. */
async function signInHost(
  { mcp, auth }: System['stack']['file'],
  { email, password }: { email: string; password: string },
): Promise<Client> {
  const browser = new Browser(auth!.url);
  await browser.signIn(email, password);
  const authProvider = new Keeper();
  const connect = async (transport: StreamableHTTPClientTransport): Promise<Client> => {
    const host = new Client({ name: 'host', version: '1' });
    await host.connect(transport);
    return host;
  };
  const transport = () => new StreamableHTTPClientTransport(new URL(mcp!.url), { authProvider });
  const refused = transport();
  await expect(connect(refused)).rejects.toBeInstanceOf(UnauthorizedError);
  const { searchParams } = await decide(browser, authProvider.opened!, 'approve');
  await refused.finishAuth(searchParams);
  return await connect(transport());
}

describe('a token', () => {
  it('a token for /mcp is refused at /v1 and reads only its own workspace', async () => {
    expect((await system.rest(tokens.admin, 'GET', '/business')).status).toBe(401);
    const { admin: token } = system.workspaces[1].mcpTokens!;
    const foreign = await callTool(url, 'get_timesheet', { id: has['timesheet'] }, { token });
    expect(failureOf(foreign)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  it('an invalid token gets a challenge that names the authorization server', async () => {
    const { status, headers } = await rpc(url, null, 'tools/list');
    const metadataUrl = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
    expect([status, typeof metadataUrl]).toEqual([401, 'string']);
    const metadata = (await (await fetch(metadataUrl!)).json()) as Json;
    expect(metadata).toMatchObject({
      resource: url,
      authorization_servers: [system.stack.file.auth!.url],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    });
    const server = await fetch(`${system.stack.file.auth!.url}/.well-known/oauth-authorization-server`);
    expect(await server.json()).toMatchObject({ issuer: system.stack.file.auth!.url });
  });

  it("a host without a token gets one by itself, with a person: from a bare 401 to a tool's answer", async () => {
    const user = system.workspaces[0].users!.find(({ role }) => role === 'admin')!;
    const host = await signInHost(system.stack.file, user);
    const { structuredContent } = await host.callTool({ name: 'get_business' });
    expect(structuredContent).toEqual(await v1('/business'));
    await host.close();
  });

  it('a token is refused once its connection has been revoked, even between the rounds of a write', async () => {
    const id = await newTimesheet();
    const given = { id, ...intent() };
    const { result } = await callTool(url, 'approve_timesheet', given, { token: tokens.admin });
    const { nodes } = await system.graphql<{ nodes: { id: string }[] }>('{ mcpConnections { nodes { id } } }');
    for (const connection of nodes) await system.graphql(REVOKE, { id: connection.id });
    const round = { token: tokens.admin, inputResponses: yes, requestState: result!.requestState };
    const answer = await callTool(url, 'approve_timesheet', given, round);
    expect(answer.status).toBe(401);
    expect(await traces(id)).toEqual({ decisions: 0, payments: 0 });
  });
});
