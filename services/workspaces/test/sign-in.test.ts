import { afterAll, beforeAll, expect, it } from 'vitest';
import { PASSWORD, Site } from './site.js';

let site: Site;
beforeAll(async () => {
  site = await Site.open('workspaces_sign_in');
});
afterAll(() => site[Symbol.asyncDispose]());

it('who knows the password is signed in and goes where they wanted to go', async () => {
  const { email } = await site.account();
  const browser = site.browser();
  const { location } = await browser.get('/workspaces');
  expect(location).toBe('/sign-in?return_to=%2Fworkspaces');
  const form = await browser.get(location!);
  const answer = await browser.submit(form, '/sign-in', { email: ` ${email.toUpperCase()} `, password: PASSWORD });
  expect(answer).toMatchObject({ status: 303, location: '/workspaces' });
  expect((await browser.get('/workspaces')).text).toContain('Ada Admin');
});

it('a wrong password and an address that nobody has get the same answer', async () => {
  const { email } = await site.account();
  const wrong = await site.browser().signIn(email, 'not the right password');
  const unknown = await site.browser().signIn(`x${email}`, 'not the right password');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('The e-mail address or the password is wrong.');
  expect(unknown.text).toBe(wrong.text);
});
