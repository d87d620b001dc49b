import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { Browser } from '../pages/browser.js';
import { Client } from './client.js';
import { pathOf } from './consenting.js';
import { PASSWORD, Scene } from './scene.js';

const scene = await Scene.open('workspaces_oauth_strangers');
const person = await scene.person([await scene.workspaces.provision(), 'admin']);
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());

const from = (address: string): Browser => new Browser(scene.issuer, { 'x-forwarded-for': address });

async function kept(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from oauth_artifact`.execute(
    scene.workspaces.em.getKysely(),
  );
  return rows[0]!.count;
}

describe('an authorization request without a session', () => {
  it.each([{}, { prompt: 'login' }, { prompt: 'login consent', max_age: '0' }, { scope: undefined }])(
    'stores nothing, requires one sign-in, and then continues with the same request: %j',
    async (change) => {
      const before = await kept();
      const browser = from('203.0.113.1');
      const begun = await browser.get(pathOf(String(client.request(change))));
      expect(begun).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in\?/) });
      expect(await kept()).toBe(before);
      const signIn = await browser.get(begun.location!);
      const back = await browser.submit(signIn, '/sign-in', { email: person.email, password: PASSWORD });
      expect(pathOf(back.location)).toMatch(/^\/oauth\/authorize\?/);
      const asked = await browser.get(pathOf(back.location));
      expect(pathOf(asked.location)).toMatch(/^\/oauth\/connect\//);
      const page = await browser.get(pathOf(asked.location));
      expect([page.status, page.text.includes('wants to act for you in')]).toEqual([200, true]);
      expect(await kept()).toBe(before + 1);
    },
  );

  it.each([{ prompt: 'none' }, { redirect_uri: 'https://other.example/' }, { code_challenge_method: 'plain' }])(
    'is refused at once if it is invalid: %j',
    async (change) => {
      const before = await kept();
      expect((await from('203.0.113.2').get(pathOf(String(client.request(change))))).status).toBe(400);
      expect(await kept()).toBe(before);
    },
  );

  it('is allowed 120 times a minute per address', async () => {
    const ask = async (address: string) => await from(address).get(pathOf(String(client.request())));
    for (let n = 0; n < 120; n += 1) expect((await ask('203.0.113.3')).status).toBe(303);
    const refused = await ask('203.0.113.3');
    expect(refused).toMatchObject({ status: 429 });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('203.0.113.4')).status).toBe(303);
  });
});

describe('invalid credentials of a client', () => {
  const ask = async (path: string, address: string, init: { method?: string; body?: URLSearchParams }) =>
    await fetch(scene.issuer + path, { ...init, headers: { 'x-forwarded-for': address } });
  const refresh = (address: string, token: string, path = '/oauth/token') => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: client.id });
    return ask(path, address, { method: 'POST', body });
  };

  it.each([
    ['/oauth/token', 400, (address: string) => refresh(address, 'none')],
    ['/oauth/token/', 400, (address: string) => refresh(address, 'none', '/oauth/token/')],
    [
      '/oauth/revoke',
      401,
      (address: string) =>
        ask('/oauth/revoke', address, { method: 'POST', body: new URLSearchParams({ token: 'x', client_id: 'none' }) }),
    ],
    ['/oauth/userinfo', 401, (address: string) => ask('/oauth/userinfo', address, {})],
  ] as const)('at %s are refused 120 times a minute per address, then with 429', async (path, status, send) => {
    const address = `2001:db8:${Buffer.from(path.slice(-2)).toString('hex')}::1`;
    for (let n = 0; n < 120; n += 1) expect((await send(address)).status).toBe(status);
    const refused = await send(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ error: 'too_many_requests' });
  });

  it('125 invalid refresh tokens from one address do not block a valid one', async () => {
    const address = '2001:db8:99::1';
    for (let n = 0; n < 125; n += 1) await refresh(address, 'none');
    const { refresh_token } = await client.signIn(await scene.signedIn(person));
    expect((await refresh(address, refresh_token)).status).toBe(200);
  });

  it('valid refresh tokens are not counted', async () => {
    let { refresh_token: token } = await client.signIn(await scene.signedIn(person));
    for (let n = 0; n < 125; n += 1) {
      const answer = await refresh('203.0.113.9', token);
      expect(answer.status).toBe(200);
      ({ refresh_token: token } = (await answer.json()) as { refresh_token: string });
    }
  });
});
