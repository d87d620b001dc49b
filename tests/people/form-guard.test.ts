import { newId } from '@payroll/kernel';
import { newSecret, TOKEN_FIELD } from '@payroll/pages';
import { afterAll, describe, expect, it } from 'vitest';
import type { Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite } from './site.js';

const site = await openSite('workspaces_forms');
const place = await site.workspaces.provision();
const admin = await site.person(place);
afterAll(() => site[Symbol.asyncDispose]());

const tokenIn = ({ html }: Page): string => /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
const ownToken = async (): Promise<string> => tokenIn(await admin.browser.get('/account'));

const forms = (): string[] =>
  site.routes
    .filter(({ method }) => method === 'POST')
    .map(({ url }) =>
      url.replace(':workspaceId', place.workspaceId).replace(':id', newId()).replace(':secret', newSecret()),
    );

async function refused(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<void> {
  expect(forms().length).toBeGreaterThan(10);
  for (const path of forms()) {
    const { status, text } = await admin.browser.post(path, fields, headers);
    expect([path, status]).toEqual([path, 403]);
    expect(text).toContain('This form did not come from this site, or it is too old.');
  }
  expect((await admin.browser.get('/workspaces')).status).toBe(200);
}

describe('every form is refused', () => {
  it('without a token', () => refused({}));

  it('with another browser’s token', async () => {
    const other = await site.person(await site.workspaces.provision());
    await refused({ [TOKEN_FIELD]: tokenIn(await other.browser.get('/account')) });
  });

  it('with a token of as many characters and other bytes', () => refused({ [TOKEN_FIELD]: 'é'.repeat(43) }));

  it('with a token from before the browser signed in', async () => {
    await refused({ [TOKEN_FIELD]: tokenIn(await site.browser().get('/sign-in')) });
  });

  it.each(['https://evil.example', 'null'])('sent from %s', async (origin) => {
    await refused({ [TOKEN_FIELD]: await ownToken() }, { origin });
  });

  it.each(['cross-site', 'same-site', 'none'])('with Sec-Fetch-Site %s and no Origin', async (site) => {
    const token = await ownToken();
    for (const path of forms()) {
      const request = { [TOKEN_FIELD]: token };
      const { status } = await admin.browser.post(path, request, { origin: '', 'sec-fetch-site': site });
      expect([path, status]).toEqual([path, 403]);
    }
  });
});

it('a form with its token and from this origin is accepted', async () => {
  const path = `/workspaces/${place.workspaceId}/integration`;
  const answer = await admin.browser.post(path, {
    [TOKEN_FIELD]: await ownToken(),
    switches: ['integration', 'writes'],
  });
  expect(answer).toMatchObject({ status: 303, location: path });
});

it('a form is limited to 64 KiB; the sign-in form may carry another saved form', async () => {
  const path = `/workspaces/${place.workspaceId}/integration`;
  const token = { [TOKEN_FIELD]: await ownToken() };
  const [fits, over] = [60_000, 66_000].map((length) => ({ ...token, switches: ['writes'], more: 'x'.repeat(length) }));
  expect((await admin.browser.post(path, fits!)).status).toBe(303);
  const refused = await admin.browser.post(path, over!);
  expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('This form is too long')]);
  const draft = JSON.stringify({ path, fields: { more: 'x'.repeat(1_000_000) } });
  expect((await admin.browser.post('/sign-in', { ...token, draft })).text).toContain('the password is wrong');
});

it('refuses JSON as a form', async () => {
  const cookie = [...admin.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: site.url, 'content-type': 'application/json' };
  const body = JSON.stringify({ [TOKEN_FIELD]: await ownToken() });
  const response = await fetch(`${site.url}/account/sign-out-everywhere`, { method: 'POST', headers, body });
  expect(response.status).toBe(415);
  expect((await admin.browser.get('/workspaces')).status).toBe(200);
});

it('sign-in pages forbid scripts, frames and other origins, and are not cached', async () => {
  const paths = ['/sign-in', '/account', '/nowhere', '/%', '/invitations/x'];
  for (const path of paths) expectNoScript(path, await admin.browser.get(path));
});

it('answers with a secret forbid scripts too, although other pages of the section run the islands', async () => {
  const room = `/workspaces/${place.workspaceId}`;
  const key = { name: 'Key', scopes: 'read', expiresAt: '2099-12-31' };
  const invitation = { name: 'Grace', email: 'grace@example.com', role: 'viewer' };
  const secrets = [
    [`${room}/keys/new`, key, 'sk_test_'],
    [`${room}/members/invite`, invitation, '/invitations/'],
  ] as const;
  for (const [path, fields, secret] of secrets) {
    const form = await admin.browser.get(path);
    expect(form.headers.get('content-security-policy')).toContain("script-src 'self'");
    const made = await admin.browser.submit(form, path, fields);
    expect(made.html).toContain(secret);
    expectNoScript(path, made);
  }
});

function expectNoScript(path: string, { headers, html }: Page): void {
  const policy = headers.get('content-security-policy');
  expect([path, policy]).toEqual([
    path,
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ]);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(html).not.toMatch(/<script|<style| style=| on[a-z]+=/);
}
