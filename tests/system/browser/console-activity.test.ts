import type { Role } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { newKey, newMember } from '@payroll/tools/demo/people';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';
import { newPeople } from './visitor.js';

const system = await joinSystem();
const [own] = system.workspaces;
const people = await newPeople(system, own);
const { admin } = people;
const contractId = await activeContract(system.access());
const { id, version } = await submittedTimesheet(system.access(), contractId);
const approved = await system.rest(own.apiKeys.admin, 'POST', `/timesheets/${id}/approve`, {
  expectedVersion: version,
});
const key = await newKey(system.access(), admin.membershipId);
await system.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.id });
const again = await submittedTimesheet(system.access(), contractId);
const room = (path: string, n: 0 | 1 = 0): string => `/workspaces/${system.workspaces[n].id}${path}`;
const page = room(`/review/timesheet/${again.id}`);
const form = await admin.browser.get(page);
await admin.browser.submit(form, `${page}/reject`, { reason: 'The <26th> was a holiday' });
const work = { contractId, timesheetId: again.id, paymentId: String(approved.body['paymentId']) };

const look = (query = '', role: Role = 'admin'): Promise<Page> => people[role].browser.get(room(`/activity${query}`));

/** The text of the rows, in order. */
function rowsOf({ html }: Page): string[] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(html) ?? [];
  const text = (cell: string): string =>
    cell
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => text(row!));
}

/** Expects the first occurrence of each of the words in this order. */
function expectInOrder(rows: string[], ...words: string[]): void {
  const places = words.map((word) => rows.findIndex((row) => row.includes(word)));
  expect(places.map((place, n) => (place === -1 ? words[n] : '')).join('')).toBe('');
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

it('shows an admin what was done in all services, newest first, by whom and in words', async () => {
  const page = await look();
  expect(page.status).toBe(200);
  expectInOrder(
    rowsOf(page),
    'Rejected the timesheet of Tess Test, 12 – 18 Jan 2026 Details Reason: The &lt;26th> was a holiday By Pat Person',
    'Revoked an API key',
    'Created an API key',
    'Approved the timesheet of Tess Test, 5 – 11 Jan 2026 Details Total: 500.00 EUR By Demo admin, for Ada Admin',
    'Activated the contract of Tess Test, Made by a test',
    'Drafted a contract of Tess Test, Made by a test',
  );
  expect(page.html).not.toMatch(/[a-z]+\.[a-z]+-[a-z]+ed\b/);
});

it('shows the amount of a deduction', async () => {
  const add = 'mutation ($id: ID!) { addDeduction(paymentId: $id, name: "Rest", amount: "1") { id } }';
  await system.graphql(add, { id: work.paymentId });
  const row = rowsOf(await look()).find((each) => each.includes('Added a deduction, Tess Test'));
  expect(row).toContain('Name: Rest Amount: 1.00 EUR');
});

it('names a milestone that is planned', async () => {
  const add = 'mutation ($input: MilestoneInput!) { addMilestone(input: $input) { id } }';
  await system.graphql(add, { input: { contractId: work.contractId, title: 'Logo', amount: '250' } });
  expect(rowsOf(await look()).join('\n')).toContain('Added a milestone of Tess Test, Logo');
});

it('names the person whose role, membership or key was changed, and the person who has just joined', async () => {
  const [own] = system.workspaces;
  const name = 'Pat Person';
  const id = await newMember(system.access(), 'member', `nora-${crypto.randomUUID()}@people.example`);
  const roles = 'mutation ($id: ID!) { changeMemberRole(id: $id, role: viewer) { id } }';
  await system.graphql(roles, { id });
  const key = await newKey(system.access(), people.admin.membershipId);
  await system.graphql('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.id });
  await system.graphql('mutation ($id: ID!) { removeMember(id: $id) { id } }', { id });
  const invite = room('/members/invite');
  const { browser } = people.admin;
  const made = await browser.submit(await browser.get(invite), invite, {
    name: 'Ina',
    email: 'ina@people.example',
    by: 'hand',
    role: 'viewer',
  });
  const [, link = ''] = /(\/invitations\/[\w-]+)/.exec(made.html)!;
  const stranger = new Browser(system.stack.file.auth!.url);
  const password = 'plum gravel teapot nine';
  const joined = await stranger.submit(await stranger.get(link), link, {
    name: 'Ina Invited',
    password,
    repeated: password,
  });
  expect(joined.location).toBe(`/workspaces/${own.id}`);
  const rows = rowsOf(await look());
  const rowOf = (words: string): string => rows.find((row) => row.includes(words)) ?? '';
  expect(rowOf('Changed a role')).toContain(`Name: ${name}`);
  expect(rowOf('Ended a membership')).toContain(`Name: ${name}`);
  expect(rowOf('Revoked an API key')).toContain('Name: ');
  expect(rowOf('Accepted the invitation')).toMatch(/Name: Ina Invited .*By Ina Invited/);
  expect(rows.join()).not.toContain('Somebody outside the workspace');
});

it('shows other members only what concerns them, and nothing of another workspace', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const rows = rowsOf(await look('', role)).join('\n');
    expect(rows).toContain('Approved the timesheet of Tess Test');
    expect(rows).not.toMatch(/API key|member|invit/i);
  }
  expect((await people.admin.browser.get(room('/activity', 1))).status).toBe(404);
});

it('links to the subject of an entry, and from its page to all entries about it', async () => {
  const { html } = await look();
  expect(html).toContain(`href="${room(`/review/timesheet/${work.timesheetId}`)}"`);
  const contract = await people.viewer.browser.get(room(`/contracts/${work.contractId}`));
  const [, query] = new RegExp(`href="${room('/activity')}(\\?about=[^"]+)"`).exec(contract.html) ?? [];
  const rows = rowsOf(await look(query, 'viewer'));
  expectInOrder(rows, 'Activated the contract of Tess Test', 'Signed the contract', 'Drafted a contract');
  expect(rows.join('\n')).not.toContain('timesheet');
});

it('filters by kind, day and person, and pages without duplicates', async () => {
  const [, by] = /\?by=([\w-]+)"/.exec((await look()).html) ?? [];
  const ofOne = rowsOf(await look(`?by=${by}`));
  expect(ofOne.length).toBeGreaterThan(0);
  const people = new Set(ofOne.map((row) => /Admin|admin|key/.test(row)));
  expect(people.size).toBe(1);
  expect(rowsOf(await look('?kind=payments')).join('')).not.toContain('timesheet');
  expect(rowsOf(await look('?to=2020-01-01'))).toEqual([]);
  const seen: string[] = [];
  for (let query: string | undefined = ''; query !== undefined;) {
    const page: Page = await look(query.replaceAll('&amp;', '&'));
    seen.push(...[...page.html.matchAll(/<time[^>]*datetime="([^"]+)"/gi)].map(([, at]) => at!));
    query = /href="(\?[^"]*cursor=[^"]+)"/.exec(page.html)?.[1];
  }
  expect(seen.length).toBeGreaterThan(10);
  expect(seen).toEqual(seen.toSorted().toReversed());
});

it.each(['?cursor=x', '?kind=x&from=yesterday&about=1&by=2', '?cursor=2026-01-01T00:00:00Z_x'])(
  'ignores the invalid filter %s',
  async (query) => {
    expect(rowsOf(await look(query))).toEqual(rowsOf(await look()));
  },
);

it('shows everything until the last day that can be written', async () => {
  expect(rowsOf(await look('?to=9999-12-31'))).toEqual(rowsOf(await look()));
});

it.each(['/contracts?cursor=x', '/payments?cursor=x', '/review?cursor=x'])(
  '%s returns 400 and says that the address is not right',
  async (path) => {
    const answer = await people.admin.browser.get(room(path));
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This link is not valid') });
  },
);

it.each(['/contracts', '/workers'])('uses the first value if %s repeats the parameter `search`', async (path) => {
  const answer = await people.admin.browser.get(room(`${path}?search=nothing+has+this+name&search=b`));
  expect(answer).toMatchObject({ status: 200, html: expect.stringContaining('nothing has this name') });
});
