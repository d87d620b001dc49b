import { parseApiKey } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { rawSql, read, sql } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
let keys: string;
const site = await openSite('workspaces_key_pages');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
  keys = `/workspaces/${place.workspaceId}/keys`;
});

const secretIn = ({ html }: Page): string => /id="once"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? '';
const FIELDS = { name: 'Ledger sync', scopes: ['read', 'contracts:write'], expiresAt: '2099-12-31' };

async function create(fields: Record<string, string | string[]> = FIELDS): Promise<Page> {
  return await admin.browser.submit(await admin.browser.get(`${keys}/new`), `${keys}/new`, fields);
}

async function admits(secret: string) {
  const answer = await site.workspaces.admitOne(parseApiKey(`Bearer ${secret}`, 'test'));
  return answer.admitted ? answer.origin.actor : answer.code;
}

const idIn = ({ html }: Page): string => new RegExp(`${keys}/([0-9a-f-]{36})/rotate`).exec(html)?.[1] ?? '';

it('a new key acts for its creator, with the chosen scopes and last day', async () => {
  const made = await create();
  expect(made.status).toBe(200);
  expect((await admin.browser.get(keys)).text).toContain('Last used Never');
  expect(await admits(secretIn(made))).toMatchObject({
    workspaceId: place.workspaceId,
    role: 'admin',
    scopes: ['read', 'contracts:write'],
  });
  const entry = (await site.workspaces.audited(place.workspaceId)).at(-1);
  expect(entry).toMatchObject({ action: 'api-key.created', actorKind: 'person', via: 'web' });
  const list = await admin.browser.get(keys);
  expect(list.text).toContain('Ledger sync active acts as Ada');
  expect(list.text).toContain('31 Dec 2099, 23:59 UTC');
  expect(list.text).not.toContain('Never');
});

it("a key's secret is in one answer and nowhere else", async () => {
  const made = await create();
  const secret = secretIn(made);
  const core = secret.split('_')[3]!;
  expect(made.html.split(core)).toHaveLength(2);
  expect(made.headers.get('cache-control')).toBe('no-store');
  for (const path of [keys, `${keys}/new`, `/workspaces/${place.workspaceId}/membership`, '/account']) {
    expect((await admin.browser.get(path)).html).not.toContain(core.slice(0, 30));
  }
  expect(await everythingStored()).not.toContain(core.slice(0, 30));
});

/** Every row of every table, as text. */
async function everythingStored(): Promise<string> {
  const { em } = site.workspaces;
  const tables = (await read(
    em,
    sql`
    select table_name as name from information_schema.tables where table_schema = 'workspaces'`,
  )) as { name: string }[];
  expect(tables.length).toBeGreaterThan(12);
  const readable = tables.filter(({ name }) => name !== 'migration');
  const dumps = readable.map(({ name }) => read(em, sql`select t::text as row from ${rawSql(name)} t`));
  return JSON.stringify(await Promise.all(dumps));
}

it('a form that is sent twice makes one key', async () => {
  const form = await admin.browser.get(`${keys}/new`);
  const first = await admin.browser.submit(form, `${keys}/new`, FIELDS);
  const again = await admin.browser.submit(form, `${keys}/new`, FIELDS);
  expect([first.status, again.status]).toEqual([200, 409]);
  expect(again.text).toContain('This form was sent already');
  expect(secretIn(again)).toBe('');
  expect((await admin.browser.get(keys)).html.match(/Ledger sync<span|>Ledger sync /g)?.length).toBe(1);
});

it('a form that is corrected after going back makes the key, because the refused one did nothing', async () => {
  const form = await admin.browser.get(`${keys}/new`);
  expect((await admin.browser.submit(form, `${keys}/new`, { ...FIELDS, name: '' })).status).toBe(422);
  const mended = await admin.browser.submit(form, `${keys}/new`, { ...FIELDS, name: 'Mended' });
  expect(mended.status).toBe(200);
  expect(secretIn(mended)).not.toBe('');
});

it.each([
  [{ name: '' }, 'Enter a name for the key', 'name'],
  [{ name: 'n'.repeat(201) }, 'The name must be 200 characters or fewer', 'name'],
  [{ scopes: [] }, 'Choose what the key may do', 'scopes'],
  [{ scopes: ['everything'] }, 'Choose what the key may do', 'scopes'],
  [{ expiresAt: '2020-01-01' }, 'Enter a day in the future', 'expiresAt'],
  [{ expiresAt: 'soon' }, 'Enter a day in the future', 'expiresAt'],
])('%j is refused with an error at its field, and valid input is kept', async (wrong, sentence, field) => {
  const page = await create({ ...FIELDS, ...wrong });
  expect(page.status).toBe(422);
  expect(page.html).toContain('<title>Error: Create a key');
  expect(page.html).toContain(`<a href="#${field}">${sentence}`);
  expect(page.html).toContain(`id="${field}"`);
  if (field !== 'name') expect(page.html).toContain('value="Ledger sync"');
  const corrected = await admin.browser.submit(page, `${keys}/new`, FIELDS);
  expect(corrected.status).toBe(200);
});

it('a rotated key has another secret and the same principal, and the old one works until it is revoked', async () => {
  const old = secretIn(await create());
  const id = idIn(await admin.browser.get(keys));
  const path = `${keys}/${id}/rotate`;
  const rotated = await admin.browser.submit(await admin.browser.get(path), path, { expiresAt: '2099-06-30' });
  const fresh = secretIn(rotated);
  expect(fresh).not.toBe(old);
  expect(await admits(fresh)).toEqual(await admits(old));
  const revoke = `${keys}/${id}/revoke`;
  expect(rotated.html).toContain(`href="${revoke}"`);
  const done = await admin.browser.submit(await admin.browser.get(revoke), revoke);
  expect((await admin.browser.get(done.location!)).text).toContain('The key Ledger sync is revoked.');
  expect(await admits(old)).toBe('INVALID_CREDENTIAL');
  expect(await admits(fresh)).toMatchObject({ role: 'admin' });
  const again = await admin.browser.submit(await admin.browser.get(path), path, { expiresAt: '2099-06-30' });
  expect(again).toMatchObject({ status: 422 });
  expect(again.text).toContain('The key is permanently revoked; create a new one.');
});

it('an admin cannot make a key that acts for another member', async () => {
  const other = await site.workspaces.member(place, 'admin');
  const made = await create({ ...FIELDS, memberId: other, membershipId: other });
  const rows = await read(
    site.workspaces.em,
    sql`
    select membership_id as member from api_key where workspace_id = ${place.workspaceId}`,
  );
  expect(made.status).toBe(200);
  expect(rows).toEqual([{ member: admin.membershipId }]);
});

it('names are escaped wherever they are shown', async () => {
  await create({ ...FIELDS, name: '<b onclick="x">&amp;' });
  const { html } = await admin.browser.get(keys);
  expect(html).not.toContain('<b onclick');
  expect(html).toContain('&lt;b onclick=&quot;x&quot;>&amp;amp;');
});

it('an unknown key has no page', async () => {
  for (const action of ['rotate', 'revoke']) {
    expect((await admin.browser.get(`${keys}/${newId()}/${action}`)).status).toBe(404);
  }
});
