import { afterAll, describe, expect, it } from 'vitest';
import { CALLBACK, Client, registration, tokensOf } from './client.js';
import { decide, openRequest, pathOf } from './consenting.js';
import { Scene } from './scene.js';

const scene = await Scene.open('workspaces_oauth_refusals');
const place = await scene.workspaces.provision();
const browser = await scene.signedIn(await scene.person([place, 'admin']));
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());

const invalidGrant = expect.objectContaining({
  status: 400,
  body: expect.objectContaining({ error: 'invalid_grant' }),
});

describe('an authorization code', () => {
  it('needs its own verifier, redirect and client, and stays valid after a wrong try', async () => {
    const code = await client.code(browser);
    const other = await Client.register(scene.issuer);
    expect(await client.exchange(code, { code_verifier: other.verifier })).toEqual(invalidGrant);
    expect(await client.exchange(code, { redirect_uri: `${CALLBACK}x` })).toEqual(invalidGrant);
    expect(await other.exchange(code, { code_verifier: client.verifier })).toEqual(invalidGrant);
    expect(await client.exchange(code)).toMatchObject({ status: 200 });
  });

  it('used twice revokes the tokens it was exchanged for', async () => {
    const code = await client.code(browser);
    const { refresh_token } = tokensOf(await client.exchange(code));
    expect(await client.exchange(code)).toEqual(invalidGrant);
    expect(await client.refresh(refresh_token)).toEqual(invalidGrant);
  });

  it('used twice concurrently gives tokens at most once, and those are revoked', async () => {
    const code = await client.code(browser);
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.exchange(code)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given.length).toBeLessThanOrEqual(1);
    for (const answer of given) expect(await client.refresh(tokensOf(answer).refresh_token)).toEqual(invalidGrant);
  });

  it('cannot be exchanged for a token of another resource', async () => {
    const answer = await client.exchange(await client.code(browser), { resource: 'https://other.example/mcp' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });
});

describe('a refresh token', () => {
  it('used again after half a minute revokes its family, including its successor', async () => {
    const first = await client.signIn(browser);
    const second = tokensOf(await client.refresh(first.refresh_token));
    await scene.ageUses(31);
    expect(await client.refresh(first.refresh_token)).toEqual(invalidGrant);
    expect(await client.refresh(second.refresh_token)).toEqual(invalidGrant);
  });

  it('used by several windows at once, or again because an answer was lost, does not end the sign-in', async () => {
    const { refresh_token } = await client.signIn(browser);
    const answers = await Promise.all([1, 2, 3].map(() => client.refresh(refresh_token)));
    answers.push(await client.refresh(refresh_token));
    for (const answer of answers) expect((await client.refresh(tokensOf(answer).refresh_token)).status).toBe(200);
  });

  it('is not kept alive by being used again and again', async () => {
    const { refresh_token } = await client.signIn(browser);
    await client.refresh(refresh_token);
    await scene.ageUses(20);
    expect((await client.refresh(refresh_token)).status).toBe(200);
    await scene.ageUses(20);
    expect(await client.refresh(refresh_token)).toEqual(invalidGrant);
  });

  it('cannot be used or revoked by another client', async () => {
    const { refresh_token } = await client.signIn(browser);
    const other = await Client.register(scene.issuer);
    expect(await other.refresh(refresh_token)).toEqual(invalidGrant);
    expect((await other.revoke(refresh_token)).status).toBe(200);
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  it('does not extend the consented scopes', async () => {
    const { refresh_token } = await client.signIn(browser, { scope: 'openid read' });
    const answer = await client.refresh(refresh_token, { scope: 'openid read timesheets:write' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
  });
});

describe('consent', () => {
  it('is given once: a repeated form decides nothing', async () => {
    const { page, path } = await openRequest(browser, client.request());
    const first = await browser.submit(page, `${path}/approve`);
    expect(first.status).toBe(200);
    expect(await browser.submit(page, `${path}/approve`)).toMatchObject({ status: 200, location: first.location });
    expect((await browser.submit(page, `${path}/deny`)).status).toBe(409);
    const resumed = await browser.get(pathOf(first.location));
    expect(resumed.location).toContain('code=');
    expect((await browser.get(pathOf(first.location))).status).toBe(400);
    expect((await browser.submit(page, `${path}/approve`)).status).toBe(409);
  });

  it("requires each form's own token, and our origin", async () => {
    const { page, path } = await openRequest(browser, client.request());
    const token = /name="form_token" value="([^"]+)"/.exec(page.html)![1]!;
    const fields = { workspace: place.workspaceId };
    for (const form of ['workspace', 'ask', 'approve', 'deny'].map((name) => `${path}/${name}`)) {
      const without = await browser.post(form, fields);
      const elsewhere = await browser.post(form, { ...fields, form_token: token }, { origin: 'https://evil.example' });
      expect([form, without.status, elsewhere.status]).toEqual([form, 403, 403]);
    }
    expect((await browser.submit(page, `${path}/approve`)).status).toBe(200);
  });

  it('belongs to the browser and the request in which it was asked for', async () => {
    const { path } = await openRequest(browser, client.request());
    const stranger = await scene.signedIn(await scene.person([place, 'admin']));
    expect((await stranger.get(path)).status).toBe(409);
    const mine = await openRequest(stranger, client.request());
    const theirs = mine.path.slice(0, -1) + (mine.path.endsWith('A') ? 'B' : 'A');
    expect((await stranger.get(theirs)).status).toBe(409);
    expect((await stranger.post(`${path}/approve`, {})).status).toBe(403);
  });

  it('redirects to the client with access_denied when the person declines', async () => {
    const callback = await decide(browser, client.request(), 'deny');
    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state',
      iss: scene.issuer,
    });
  });

  it('posts its forms to us alone, in no frame', async () => {
    const { page } = await openRequest(browser, client.request());
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

describe('client registration', () => {
  it('makes a public client without a secret, whatever is requested', async () => {
    const { body } = await registration(scene.issuer, {
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'everything',
    });
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('registration_access_token');
  });

  it.each([['http://client.example/callback'], ['javascript:alert(1)'], ['https://client.example/#x']])(
    'refuses the redirect %s',
    async (redirect_uri) => {
      const answer = await registration(scene.issuer, { redirect_uris: [redirect_uri] });
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
    },
  );

  it('is limited per address', async () => {
    const from = (address: string) =>
      registration(scene.issuer, { redirect_uris: [CALLBACK] }, { 'x-forwarded-for': address });
    const answers = await Promise.all(Array.from({ length: 25 }, () => from('203.0.113.7')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect((await from('203.0.113.8')).status).toBe(201);
  });
});
