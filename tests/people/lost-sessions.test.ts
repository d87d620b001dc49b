import { newSecret } from '@payroll/pages';
import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, PASSWORD, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
let path: string;
const site = await openSite('workspaces_lost_sessions');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
  path = `/workspaces/${place.workspaceId}/keys/new`;
});

const TYPED = { name: 'Ledger "sync"', scopes: ['read', 'contracts:write'], expiresAt: '2098-12-31' };

/** Ways in which a session ends while a form is being filled in. */
const LOSSES: Record<string, () => Promise<void> | void> = {
  'its time is over': async () => {
    await write(site.workspaces.em, sql`update session set expires_at = now() where id = ${admin.sessionId}`);
  },
  'they signed out in another window': async () => {
    await admin.browser.submit(await admin.browser.get('/account'), '/sign-out');
    await admin.browser.get('/sign-in');
  },
  'the cookie is gone': () => admin.browser.cookies.clear(),
};

const made = async (): Promise<number> => {
  const rows = (await read(
    site.workspaces.em,
    sql`
    select count(*)::int as n from api_key where workspace_id = ${place.workspaceId}`,
  )) as { n: number }[];
  return rows[0]!.n;
};

function expectAsTyped({ html, text }: Page): void {
  expect(text).toContain('Nothing has been done yet.');
  expect(html).toContain('value="Ledger &quot;sync&quot;"');
  expect(html).toContain('value="2098-12-31"');
  const checked = [...html.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].filter(([tag]) => tag.includes('checked'));
  expect(checked.map(([tag]) => /value="([^"]*)"/.exec(tag)?.[1])).toEqual(TYPED.scopes);
}

it.each(Object.keys(LOSSES))(
  'a form that is sent when %s does nothing, and returns as typed after signing in',
  async (loss) => {
    const form = await admin.browser.get(path);
    await LOSSES[loss]!();
    const asked = await admin.browser.submit(form, path, TYPED);
    expect([asked.status, asked.location, await made()]).toEqual([401, null, 0]);
    const wrong = await admin.browser.submit(asked, '/sign-in', { email: admin.email, password: 'not this one' });
    expect(wrong.status).toBe(422);
    const signedIn = await admin.browser.submit(wrong, '/sign-in', { email: admin.email, password: PASSWORD });
    expect(signedIn).toMatchObject({ status: 303, location: path });
    const again = await admin.browser.get(path);
    expectAsTyped(again);
    expect(await made()).toBe(0);
    expect((await admin.browser.submit(again, path, TYPED)).html).toContain('sk_test_');
    expect((await admin.browser.get(path)).html).not.toContain('Ledger &quot;');
  },
);

it('a form of an earlier session does nothing, and its page returns as typed', async () => {
  const form = await admin.browser.get(path);
  await LOSSES['they signed out in another window']!();
  await admin.browser.signIn(admin.email, PASSWORD);
  const refused = await admin.browser.submit(form, path, TYPED);
  expect([refused.status, await made()]).toEqual([403, 0]);
  expect(refused.html).toContain(`<a href="${path}">Open its page again</a>`);
  expectAsTyped(await admin.browser.get(path));
});

it('saved input is restored on its own page only, and is not saved for a form from another origin', async () => {
  const form = await admin.browser.get(path);
  await LOSSES['its time is over']!();
  const token = /name="form_token" value="([^"]+)"/.exec(form.html)![1]!;
  const forged = await admin.browser.post(path, { ...TYPED, form_token: token }, { origin: 'https://evil.example' });
  expect([forged.status, forged.html.includes('Ledger')]).toEqual([403, false]);
  const asked = await admin.browser.submit(form, path, TYPED);
  await admin.browser.submit(asked, '/sign-in', { email: admin.email, password: PASSWORD });
  const other = await admin.browser.get(`/workspaces/${place.workspaceId}/members/invite`);
  expect([other.html.includes('Ledger'), other.text.includes('Nothing has been done')]).toEqual([false, false]);
  expectAsTyped(await admin.browser.get(path));
});

it('typed secrets are in no page, no address and no row', async () => {
  const form = await admin.browser.get('/account/password');
  await LOSSES['its time is over']!();
  const fields = { current: PASSWORD, password: 'seven lanterns under oak', repeated: 'seven lanterns under oak' };
  const asked = await admin.browser.submit(form, '/account/password', fields);
  expect(asked.html).not.toMatch(/plum gravel|seven lanterns/);
  const signedIn = await admin.browser.submit(asked, '/sign-in', { email: admin.email, password: PASSWORD });
  expect(signedIn.location).toBe('/account/password');
  const rows = await read(site.workspaces.em, sql`select * from session`);
  expect(JSON.stringify(rows)).not.toMatch(/plum gravel|seven lanterns/);
});

it.each(['//evil.example/x', 'https://evil.example/', 'javascript:alert(1)'])(
  'a saved form on the sign-in page does not redirect to another origin, such as %s',
  async (target) => {
    const browser = site.browser();
    browser.cookies.set('session', newSecret());
    const draft = JSON.stringify({ path: target, fields: { name: 'x' } });
    const page = await browser.get('/sign-in');
    const answer = await browser.submit(page, '/sign-in', { email: admin.email, password: PASSWORD, draft });
    expect(answer).toMatchObject({ status: 303, location: '/' });
  },
);
