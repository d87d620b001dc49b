import { newId, systemOrigin } from '@payroll/kernel';
import { newSecret } from '@payroll/pages';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { unknownPassword } from '../../src/accounts/passwords.js';
import { setAccountPassword, signOutEverywhere, requestClosing } from '../../src/commands/accounts.js';
import { NO_WORKSPACE } from '../../src/commands/installation.js';
import { requestAddress } from '../../src/commands/own-address.js';
import { setSecondFactor } from '../../src/commands/second-factor.js';
import { mailOf } from '../../src/mail/notice-texts.js';
import { readNotices, type TakenMail } from '../../src/mail/outbox.js';
import { holderOrigin, ownOrigin } from '../../src/web/pages/account.js';
import type { Browser } from './browser.js';
import { PASSWORD, Site } from './site.js';

const site = await Site.open('workspaces_sign_in');
afterAll(() => site[Symbol.asyncDispose]());

const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/workspaces')).status === 200;

async function signedIn(): Promise<{ email: string; browser: Browser }> {
  const { email } = await site.account();
  const browser = site.browser();
  expect((await browser.signIn(email, PASSWORD)).status).toBe(303);
  return { email, browser };
}

it('the right password signs in and redirects to the requested page', async () => {
  const { email } = await site.account();
  const browser = site.browser();
  const { location } = await browser.get('/workspaces');
  expect(location).toBe('/sign-in?return_to=%2Fworkspaces');
  const form = await browser.get(location!);
  const answer = await browser.submit(form, '/sign-in', { email: ` ${email.toUpperCase()} `, password: PASSWORD });
  expect(answer).toMatchObject({ status: 303, location: '/workspaces' });
  expect((await browser.get('/workspaces')).text).toContain('Ada Admin');
});

it('a wrong password and an unknown address get the same answer', async () => {
  const { email } = await site.account();
  const wrong = await site.browser().signIn(email, 'not the right password');
  const unknown = await site.browser().signIn(`x${email}`, 'not the right password');
  const impossible = await site.browser().signIn(`\0${email}`, 'not the right password\0');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('The email address or the password is wrong');
  expect(unknown.text).toBe(wrong.text);
  expect(impossible.text).toBe(wrong.text);
});

it('the first value counts if a query parameter is repeated', async () => {
  const { email } = await site.account();
  const browser = site.browser();
  const form = await browser.get('/sign-in?return_to=/password&return_to=/workspaces');
  expect(form.status).toBe(200);
  expect(await browser.submit(form, '/sign-in', { email, password: PASSWORD })).toMatchObject({
    location: '/password',
  });
});

it('a form with characters that Postgres refuses waits for the sign-in like any other', async () => {
  const { email } = await site.account();
  const browser = site.browser();
  const fields = { 'na\0me': ['a\0b\n', String.raw`\u0000`, '\ud800', '😀'] };
  const draft = JSON.stringify({ path: '/account', fields });
  const answer = await browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password: PASSWORD, draft });
  expect(answer).toMatchObject({ status: 303, location: '/account' });
  const session = (await site.web.sessions.find(browser.cookies.get('session')!))!;
  const kept = await site.web.sessions.takeDraft(session, '/account');
  expect(kept).toEqual({ 'na\ufffdme': ['a\ufffdb\n', String.raw`\u0000`, '\ufffd', '😀'] });
});

it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/%09/evil.example'])(
  'signing in never redirects to %s',
  async (target) => {
    const { email } = await site.account();
    const browser = site.browser();
    const form = await browser.get(`/sign-in?return_to=${encodeURIComponent(target)}`);
    const fields = { email, password: PASSWORD, return_to: target };
    const { location } = await browser.submit(form, '/sign-in', fields);
    expect(new URL(location!, site.url).origin).toBe(site.url);
    expect(location).toBe(target.startsWith('/%09') ? target : '/');
  },
);

describe('the session', () => {
  it('is new at sign-in: a planted one is worthless', async () => {
    const { email } = await site.account();
    const planted = newSecret();
    const victim = site.browser();
    victim.cookies.set('session', planted);
    await victim.signIn(email, PASSWORD);
    expect(await isIn(victim)).toBe(true);
    const attacker = site.browser();
    attacker.cookies.set('session', planted);
    expect(await isIn(attacker)).toBe(false);
    expect(victim.cookies.get('session')).not.toBe(planted);
  });

  it('is stored only as a hash', async () => {
    const { browser } = await signedIn();
    const { rows } = await sql`select * from session`.execute(site.workspaces.em.getKysely());
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('session'));
  });

  it('ends at sign-out, even for a copied cookie', async () => {
    const { browser } = await signedIn();
    const kept = new Map(browser.cookies);
    const signedOut = await browser.submit(await browser.get('/workspaces'), '/sign-out');
    // Not the cookies: the browser stays known to its owner's account.
    expect(signedOut.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(await isIn(browser)).toBe(false);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect(await isIn(browser)).toBe(false);
  });

  it.each([
    ['an hour without a request', sql`last_seen_at = last_seen_at - interval '61 min'`],
    ['twelve hours, even in constant use', sql`expires_at = now()`],
  ])('ends after %s', async (_, change) => {
    const { browser } = await signedIn();
    await sql`update session set ${change}`.execute(site.workspaces.em.getKysely());
    expect(await isIn(browser)).toBe(false);
  });

  it('is ended in every browser by signing out everywhere', async () => {
    const { email, browser } = await signedIn();
    const other = site.browser();
    await other.signIn(email, PASSWORD);
    const bystander = (await signedIn()).browser;
    await other.submit(await other.get('/account'), '/account/sign-out-everywhere');
    expect(await Promise.all([browser, other, bystander].map(isIn))).toEqual([false, false, true]);
  });
});

it('signing out everywhere ends a sign-in that is under way', async () => {
  const { id: accountId, email } = await site.account();
  const browser = site.browser();
  const form = await browser.get('/sign-in');
  const signOut = () =>
    site.workspaces.run(signOutEverywhere, { accountId }, holderOrigin({ id: accountId, email }, newId()));
  await site.whileHashing(() => browser.submit(form, '/sign-in', { email, password: PASSWORD }), signOut);
  expect(await isIn(browser)).toBe(false);
  expect((await browser.signIn(email, PASSWORD)).status).toBe(303);
});

describe('a new password of the owner', () => {
  const reset = ({ id: accountId, email }: { id: string; email: string }) =>
    site.workspaces.run(
      setAccountPassword,
      { accountId, email, name: '', passwordHash: unknownPassword() },
      systemOrigin(NO_WORKSPACE, 'runner', newId()),
    );

  it('keeps out a sign-in that was under way with the former one', async () => {
    const account = await site.account();
    const browser = site.browser();
    const form = await browser.get('/sign-in');
    const fields = { email: account.email, password: PASSWORD };
    const answer = await site.whileHashing(
      () => browser.submit(form, '/sign-in', fields),
      () => reset(account),
    );
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Your account was changed meanwhile. Sign in again');
    expect(await isIn(browser)).toBe(false);
  });

  it('stays, although a thief of the session and the former one was setting another', async () => {
    const account = await site.account();
    const thief = site.browser();
    await thief.signIn(account.email, PASSWORD);
    const password = 'seven lanterns under oak';
    const fields = { current: PASSWORD, password, repeated: password };
    const form = await thief.get('/account/password');
    const answer = await site.whileHashing(
      () => thief.submit(form, '/account/password', fields),
      () => reset(account),
    );
    expect((await thief.get(answer.location!)).location).toContain('/sign-in?return_to=');
    expect(await isIn(thief)).toBe(false);
    expect((await site.browser().signIn(account.email, password)).status).toBe(422);
  });

  it('ends what the former sessions were changing', async () => {
    const { id: accountId, email } = await site.account();
    const browser = site.browser();
    await browser.signIn(email, PASSWORD);
    const visitor = (await site.web.sessions.find(browser.cookies.get('session')!))!;
    await reset({ id: accountId, email });
    const own = ownOrigin(visitor, newId());
    const factor = { sealed: '', step: 1, recoveryHashes: [], replaces: false };
    const late = [
      site.workspaces.run(requestAddress, { accountId, email: `x${email}`, secretHash: newId() }, own),
      site.workspaces.run(requestClosing, { accountId }, own),
      site.workspaces.run(setSecondFactor, { accountId, ...factor }, own),
    ];
    for (const each of late) await expect(each).rejects.toThrow('Give your password again first.');
  });

  it('keeps out many sign-ins that go on all the time', async () => {
    const account = await site.account();
    const browsers = Array.from({ length: 8 }, () => site.browser());
    const forms = await Promise.all(browsers.map((each) => each.get('/sign-in')));
    const fields = { email: account.email, password: PASSWORD };
    const signIns = browsers.map((each, n) => each.submit(forms[n]!, '/sign-in', fields));
    await Promise.race(signIns);
    await reset(account);
    await Promise.all(signIns);
    expect((await Promise.all(browsers.map(isIn))).filter(Boolean)).toEqual([]);
  });
});

it('many sign-ins in new browsers make one mail as long as it waits', async () => {
  const { id, email } = await site.account();
  for (let n = 0; n < 4; n += 1) await site.browser().signIn(email, PASSWORD);
  const { em } = site.workspaces;
  const taken = sql<TakenMail>`select id, tries from mail where account_id = ${id}`;
  const { rows } = await taken.execute(em.getKysely());
  expect(rows).toHaveLength(1);
  const mail = mailOf(await readNotices(em, rows[0]!), site.url);
  // The first browser is new to a new account, which needs no mail about it.
  expect(mail).toMatchObject({
    to: email,
    text: expect.stringContaining('was signed in to 3 times, with your password'),
  });
  await sql`update mail set first_tried_at = now() where account_id = ${id}`.execute(em.getKysely());
  await site.browser().signIn(email, PASSWORD);
  expect((await taken.execute(em.getKysely())).rows).toHaveLength(2);
});

describe('cookies', () => {
  const flags = async (origin: string): Promise<string[]> => {
    await using own = await Site.open(`workspaces_cookies_${origin.length}`, { origin });
    const browser = own.browser();
    const { email } = await own.account();
    const form = await browser.get('/sign-in');
    const token = /name="form_token" value="([^"]*)"/.exec(form.html)?.[1] ?? '';
    const fields = { email, password: PASSWORD, form_token: token };
    const { headers } = await browser.post('/sign-in', fields, { origin });
    return headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''));
  };

  it('over TLS are Secure, HttpOnly, SameSite and limited to this host', async () => {
    expect(await flags('https://accounts.example')).toEqual([
      '__Host-session; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-device; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it("on a developer's machine omit what requires TLS", async () => {
    expect(await flags('http://127.0.0.1:4002')).toEqual([
      'session; Path=/; HttpOnly; SameSite=Lax',
      'device; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
    ]);
  });
});

describe('changing the password', () => {
  const NEW = 'seven lanterns under oak';
  const change = async (browser: Browser, fields: Record<string, string>) =>
    await browser.submit(await browser.get('/account/password'), '/account/password', {
      current: PASSWORD,
      password: NEW,
      repeated: NEW,
      ...fields,
    });

  it('signs out everywhere else, and only the new password works', async () => {
    const { email, browser } = await signedIn();
    const other = site.browser();
    await other.signIn(email, PASSWORD);
    expect(await change(browser, {})).toMatchObject({ status: 303, location: '/account' });
    expect(await Promise.all([browser, other].map(isIn))).toEqual([true, false]);
    expect((await other.signIn(email, PASSWORD)).status).toBe(422);
    expect((await other.signIn(email, NEW)).status).toBe(303);
  });

  it.each([
    [{ current: 'something else' }, 'This is not your password'],
    [{ repeated: 'seven lanterns under elm' }, 'The two passwords do not match'],
    [{ password: 'short', repeated: 'short' }, 'The password must be 15 characters or more'],
    [{ password: 'passwordpassword', repeated: 'passwordpassword' }, 'This password is too easy to guess'],
  ])('is refused with %j', async (fields, sentence) => {
    const { browser } = await signedIn();
    const answer = await change(browser, fields);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain('<title>Error: Change your password');
    expect(answer.text).toContain(sentence);
    for (const typed of Object.values({ ...fields, NEW, PASSWORD })) expect(answer.html).not.toContain(`"${typed}"`);
  });
});
