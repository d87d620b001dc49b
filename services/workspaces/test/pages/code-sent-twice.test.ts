import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { codeOf, factorOwner } from './factors.js';
import { PASSWORD, Site } from './site.js';

const site = await Site.open('workspaces_code_sent_twice');
afterAll(() => site[Symbol.asyncDispose]());

const change = (statement: ReturnType<typeof sql>) => statement.execute(site.workspaces.em.getKysely());

it('the second click on a confirmation leads where the first one did', async () => {
  const { accountId: id, browser, secret } = await factorOwner(site);
  await change(sql`update session set authenticated_at = now() - interval '11 min' where account_id = ${id}`);
  const form = await browser.get('/sign-in/again?return_to=%2Faccount%2Faddress');
  const fields = { password: PASSWORD, code: codeOf(secret) };
  for (const click of ['first', 'second']) {
    const { status, location } = await browser.submit(form, '/sign-in/again', fields);
    expect([click, status, location]).toEqual([click, 303, '/account/address']);
  }
  await change(sql`update session set authenticated_at = now() - interval '11 min' where account_id = ${id}`);
  const late = await browser.submit(form, '/sign-in/again', fields);
  expect([late.status, late.text.includes('was used already')]).toEqual([422, true]);
});

it('the second click on a sign-in says that the first one may have signed in', async () => {
  const { email, secret } = await factorOwner(site);
  const browser = site.browser();
  const form = await browser.get('/sign-in?return_to=%2Faccount%2Faddress');
  const asked = await browser.submit(form, '/sign-in', { email, password: PASSWORD });
  const code = codeOf(secret);
  // The browser has sent both before it has the cookie of either answer.
  const before = new Map(browser.cookies);
  expect((await browser.submit(asked, '/sign-in/code', { code })).location).toBe('/account/address');
  const signedIn = new Map(browser.cookies);
  for (const [name, value] of before) browser.cookies.set(name, value);
  const second = await browser.submit(asked, '/sign-in/code', { code });
  expect(second.text).toContain('If you pressed the button twice, you may be signed in already. Go on');
  for (const [name, value] of signedIn) browser.cookies.set(name, value);
  expect(second.html).toContain('<a href="/account/address">Go on</a>');
  expect((await browser.get('/account/address')).status).toBe(200);
});

it.each(['at once', 'after the first answer'])(
  'the form for new recovery codes, sent twice %s, shows the codes that count',
  async (when) => {
    const { email, browser } = await factorOwner(site);
    const form = await browser.get('/account/second-factor');
    const send = () => browser.submit(form, '/account/second-factor/recovery-codes');
    const first = send();
    if (when !== 'at once') await first;
    const answers = await Promise.all([first, send()]);
    const [codes, again] = answers.map(({ html }) => html.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g));
    expect(codes).toHaveLength(10);
    expect(again).toEqual(codes);
    const other = site.browser();
    const asked = await other.signIn(email, PASSWORD);
    expect((await other.submit(asked, '/sign-in/code', { code: again![9]! })).status).toBe(303);
  },
);
