import { expect, it } from 'vitest';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { APPROVE_TIMESHEET } from '@payroll/tools/demo/operations';
import { contractIn, hourly, registerWorker, submitWeek } from '@payroll/tools/demo/steps';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';
import { newPeople, signedIn } from './visitor.js';

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);

const room = (path: string, workspace = system.workspaces[0]): string => `/workspaces/${workspace.id}${path}`;

it.each(['admin', 'member', 'viewer'] as const)('%s reads the contracts of the workspace', async (role) => {
  await activeContract(system.access());
  const { browser } = people[role];
  const { status, text, headers } = await browser.get(room('/contracts'));
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(text).toContain('Active');
  const active = await browser.get(room('/contracts?status=active'));
  expect(active.text).toContain('Active');
  expect((await browser.get(room('/contracts?status=cancelled'))).text).toContain('No contract fits');
});

it('redirects a signed-out visitor to sign in, and back to the requested page', async () => {
  const stranger = new Browser(system.stack.file.auth!.url);
  const { status, location } = await stranger.get(room('/contracts?status=draft'));
  expect(status).toBe(303);
  expect(location).toBe(`/sign-in?${new URLSearchParams({ return_to: room('/contracts?status=draft') }).toString()}`);
});

it('returns the same 404 to non-members whether the workspace exists or not', async () => {
  const { browser } = people.admin;
  const pages = [room('/contracts', system.workspaces[1]), `/workspaces/${crypto.randomUUID()}/contracts`];
  const answers = await Promise.all([...pages, '/workspaces/none/contracts'].map((path) => browser.get(path)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text.replace(/Request \S+/, ''))).size).toBe(1);
});

it('accepts a trailing slash, and links to the application from an unknown address', async () => {
  const { browser } = people.member;
  const saidBy = ({ text }: Page): string => text.replace(/Request \S+/, '');
  for (const path of ['', '/contracts', '/keys', '/review']) {
    const [plain, slashed] = [await browser.get(room(path)), await browser.get(`${room(path)}/`)];
    expect([path, slashed.status, saidBy(slashed)]).toEqual([path, plain.status, saidBy(plain)]);
  }
  for (const path of [
    '/nothing',
    '/contracts/nothing',
    '/contracts/nothing/at/all',
    `/workers/${crypto.randomUUID()}`,
  ]) {
    const page = await browser.get(room(path));
    expect([path, page.status]).toEqual([path, 404]);
    expect([path, page.html.includes(`href="${room('/contracts')}"`)]).toEqual([path, true]);
    const strange = await browser.get(room(path, system.workspaces[1]));
    expect([path, strange.status, strange.html.includes('class="sections"')]).toEqual([path, 404, false]);
  }
});

it('a page of switches leaves what another admin has switched off since it was opened', async () => {
  const { browser } = people.admin;
  const path = room('/integration');
  const set = async (page: Page, ...switches: string[]): Promise<unknown> => {
    expect((await browser.submit(page, path, { switches })).status).toBe(303);
    const query = '{ business { switches { integrationEnabled writesEnabled } } }';
    return (await system.graphql<{ switches: unknown }>(query)).switches;
  };
  const [early, late] = [await browser.get(path), await browser.get(path)];
  expect(await set(early, 'integration')).toEqual({ integrationEnabled: true, writesEnabled: false });
  expect(await set(late, 'integration', 'writes')).toEqual({ integrationEnabled: true, writesEnabled: false });
  expect(await set(late, 'writes')).toEqual({ integrationEnabled: false, writesEnabled: false });
  const both = await set(await browser.get(path), 'integration', 'writes');
  expect(both).toEqual({ integrationEnabled: true, writesEnabled: true });
});

it('refuses a session as soon as it has ended', async () => {
  const { browser } = people.viewer;
  const page = await browser.get(room('/contracts'));
  // Stands for another window.
  const other = new Browser(system.stack.file.auth!.url);
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  await other.submit(page, '/sign-out');
  expect((await browser.get(room('/contracts'))).status).toBe(303);
});

it('shows all of a contract, even of a sparse draft, and finds it by a search', async () => {
  const { browser } = people.member;
  const contractId = await activeContract(system.access());
  await submittedTimesheet(system.access(), contractId);
  const page = await browser.get(room(`/contracts/${contractId}`));
  for (const said of ['Made by a test', 'Tess Test', '50 EUR per hour', '500.00 EUR', 'Waiting for review']) {
    expect(page.text).toContain(said);
  }
  const links = [...page.html.matchAll(/href="(\/workspaces\/[^"]+)"/g)].map(([, path]) => path!);
  expect(links.some((path) => path.includes('/review/timesheet/'))).toBe(true);
  const statuses = await Promise.all([...new Set(links)].map(async (path) => (await browser.get(path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const title = `Draft <b>${crypto.randomUUID()}`;
  const draft = await system.rest(system.workspaces[0].apiKeys.admin, 'POST', '/contracts', { title });
  const found = await browser.get(room(`/contracts?search=${encodeURIComponent(title.toUpperCase())}&status=draft`));
  expect(found.html).toContain(`href="${room(`/contracts/${String(draft.body['id'])}`)}"`);
  const { status, text, html } = await browser.get(room(`/contracts/${String(draft.body['id'])}`));
  expect([status, text.includes('No worker yet'), html.includes('<b>')]).toEqual([200, true, false]);
});

it("shows a worker's address to admins and members, and not to viewers", async () => {
  await activeContract(system.access());
  for (const [role, isTold] of [
    ['admin', true],
    ['member', true],
    ['viewer', false],
  ] as const) {
    const browser = await signedIn(system, people[role].email);
    const list = await browser.get(room('/workers?search=tess'));
    expect([role, list.text.includes('tess.test@example.com')]).toEqual([role, isTold]);
    const [, path = ''] = new RegExp(`href="(${room('/workers')}/[0-9a-f-]{36})"`).exec(list.html) ?? [];
    const page = await browser.get(path);
    expect([page.status, page.text.includes('tess.test@example.com')]).toEqual([200, isTold]);
    expect(page.text).toContain('Made by a test');
  }
});

it('the overview shows what each role has to do, and how to leave', async () => {
  const workspace = system.workspaces[1];
  const those = await newPeople(system, workspace);
  const empty = await those.admin.browser.get(room('', workspace));
  expect([empty.status, empty.text]).toEqual([200, expect.stringContaining('First steps')]);
  const access = system.access(workspace);
  await submittedTimesheet(access, await activeContract(access));
  await system.rest(workspace.apiKeys.admin, 'POST', '/contracts', { title: 'To be completed' });
  const texts = await Promise.all(
    (['admin', 'member', 'viewer'] as const).map(
      async (role) => (await those[role].browser.get(room('', workspace))).text,
    ),
  );
  expect(texts).toEqual([
    expect.stringMatching(
      /Needs you now Timesheets to review 1 500\.00 EUR The oldest is from [\w ]+ Drafts to complete 1 First steps .*This is a test deployment.* You are/,
    ),
    expect.stringMatching(
      /Needs you now Drafts to complete 1 First steps .* Waiting for others Timesheets to review 1 500\.00 EUR The oldest is from .* You are/,
    ),
    expect.stringMatching(
      /Nothing needs you now .* Waiting for others Timesheets to review 1 500\.00 EUR .* Drafts to complete 1 .* You are/,
    ),
  ]);
  const membership = await those.viewer.browser.get(room('/membership', workspace));
  expect(membership.text).toMatch(/Your role Viewer .* Leave this workspace/);
});

it('shows due amounts and a worker’s payments as soon as work is approved', async () => {
  const [, workspace] = system.workspaces;
  const { admin } = await newPeople(system, workspace);
  const access = system.access(workspace);
  const contractId = await activeContract(access);
  // The first week, which has passed, however many weeks other tests have submitted.
  const { id, version } = await submitWeek(access, contractId, 0, '10');
  const approve = { expectedVersion: version };
  expect((await system.rest(workspace.apiKeys.admin, 'POST', `/timesheets/${id}/approve`, approve)).status).toBe(200);
  const overview = () => admin.browser.get(room('', workspace));
  await expect
    .poll(async () => (await overview()).text)
    .toMatch(/Due this week EUR .*500\.00 EUR \d+ payments? Not covered by your balance of .* short of .* EUR/);
  const contract = await admin.browser.get(room(`/contracts/${contractId}`, workspace));
  const [worker = ''] = new RegExp(`${room('/workers', workspace)}/[0-9a-f-]{36}`).exec(contract.html) ?? [];
  const [payment = ''] = new RegExp(`${room('/payments', workspace)}/[0-9a-f-]{36}`).exec(contract.html) ?? [];
  expect((await admin.browser.get(worker)).html).toContain(`href="${payment}"`);
  expect((await admin.browser.get(payment)).text).toContain('500.00 EUR');
});

it('distinguishes contracts to sign from those that wait for the worker', async () => {
  const own = system.workspaces[1];
  const { admin } = await newPeople(system, own);
  const worker = await registerWorker(system.access(own), 'Sina Signs', 'people.example');
  const input = hourly('To be signed', 'EUR', '50');
  const id = await contractIn(system.access(own), worker, input, 'pending_signature');
  const overview = async (): Promise<string> => (await admin.browser.get(room('', own))).text;
  expect(await overview()).toMatch(/Needs you now .*Contracts to sign 1/);
  const sign = room(`/contracts/${id}/sign`, own);
  await admin.browser.submit(await admin.browser.get(sign), sign);
  const after = await overview();
  expect(after).not.toContain('Contracts to sign');
  expect(after).toMatch(/Waiting for others .*Contracts for the worker to sign 1/);
});

it("all payments to a worker can be reached, even if the worker's page shows only a part", async () => {
  const { browser } = people.admin;
  const access = system.access();
  const id = await activeContract(access);
  for (let n = 0; n < 21; n++) await ask(access, APPROVE_TIMESHEET, await submittedTimesheet(access, id));
  const query = 'query ($id: ID!) { contract(id: $id) { worker { id } } }';
  const { worker } = await ask<{ worker: { id: string } }>(access, query, { id });
  const all = `${room('/payments')}?workerId=${worker.id}`;
  await expect
    .poll(async () => (await browser.get(room(`/workers/${worker.id}`))).html, { timeout: 20_000 })
    .toContain(`href="${all}"`);
  const { text } = await browser.get(all);
  expect(text).toContain('21 shown');
}, 120_000);

it("all work under a contract can be reached, even if the contract's page shows only a part", async () => {
  const { browser } = people.admin;
  const id = await activeContract(system.access());
  for (let n = 0; n < 51; n++) await submittedTimesheet(system.access(), id);
  const contract = await browser.get(room(`/contracts/${id}`));
  const all = room(`/contracts/${id}/timesheets`);
  expect(contract.html).toContain(`href="${all}"`);
  const idsIn = ({ html }: Page): string[] =>
    [...html.matchAll(/review\/timesheet\/([0-9a-f-]{36})"/g)].map(([, each]) => each!);
  const first = await browser.get(all);
  for (const { text } of [contract, first]) expect(text).toContain('10 hours');
  const [, query = ''] = /href="(\?cursor=[^"]+)"/.exec(first.html)!;
  const second = await browser.get(all + query.replaceAll('&amp;', '&'));
  expect(new Set([...idsIn(first), ...idsIn(second)]).size).toBe(51);
}, 120_000);
