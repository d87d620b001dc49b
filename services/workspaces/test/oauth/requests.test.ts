import { afterAll, describe, expect, it } from 'vitest';
import { decode } from '../pages/html.js';
import { CALLBACK, Client } from './client.js';
import { decide, pathOf } from './consenting.js';
import { MCP_URL, Scene } from './scene.js';

const scene = await Scene.open('workspaces_oauth_requests');
const browser = await scene.signedIn(await scene.person([await scene.workspaces.provision(), 'admin']));
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());

describe('an authorization request', () => {
  /**
   * The error sent to the client if the person follows the link on the page; null without such a link. The browser is
   * never redirected automatically, since anyone may have registered the client.
   */
  const errorOf = async (change: Record<string, string | undefined>): Promise<string | null> => {
    const { status, location, headers, html } = await browser.get(pathOf(String(client.request(change))));
    expect([status, location]).toEqual([400, null]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).not.toContain('<script');
    const link = /<a href="(https:[^"]*)"/.exec(html)?.[1];
    if (link === undefined) return null;
    expect(decode(html)).toContain('go to client.example');
    const url = new URL(decode(link));
    expect(url.origin + url.pathname).toBe(CALLBACK);
    const answer = new URLSearchParams(url.search || url.hash.slice(1));
    expect([answer.get('iss'), answer.get('state')]).toEqual([scene.issuer, 'state']);
    return answer.get('error');
  };

  it('with a redirect that differs by one character is not redirected', async () => {
    for (let at = 0; at <= CALLBACK.length; at++) {
      const changed = [
        `${CALLBACK.slice(0, at)}x${CALLBACK.slice(at)}`,
        CALLBACK.slice(0, at) + CALLBACK.slice(at + 1),
      ];
      for (const redirect_uri of changed.filter((each) => each !== CALLBACK)) {
        expect(await errorOf({ redirect_uri }), redirect_uri).toBeNull();
      }
    }
    expect(await errorOf({ redirect_uri: undefined })).toBeNull();
  }, 60_000);

  it('of an unknown client is not redirected', async () => {
    expect(await errorOf({ client_id: 'unknown' })).toBeNull();
  });

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with plain PKCE', { code_challenge_method: 'plain' }],
    ['without a PKCE method', { code_challenge_method: undefined }],
    ['with an invalid challenge', { code_challenge: 'short' }],
  ])('%s is refused', async (_, change) => {
    expect(await errorOf(change)).toBe('invalid_request');
  });

  it.each([
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for a resource that differs by a slash', { resource: `${MCP_URL}/` }, 'invalid_target'],
    ['for a token in the redirect URL', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'for a token, in response mode fragment',
      { response_type: 'token', response_mode: 'fragment' },
      'unsupported_response_type',
    ],
    ['with prompt=none', { prompt: 'none' }, 'interaction_required'],
  ])('%s is refused', async (_, change, error) => {
    expect(await errorOf(change)).toBe(error);
  });
});

it.each([{ prompt: 'none' }, { code_challenge_method: 'plain' }, { response_mode: 'form_post' }])(
  'a slash at the end of the address does not redirect to the client either: %j',
  async (change) => {
    const { pathname, search } = client.request(change);
    const page = await browser.get(`${pathname}/${search}`);
    expect([page.status, page.location]).toEqual([400, null]);
  },
);

it('a client id that Postgres refuses is unknown', async () => {
  const page = await browser.get(pathOf(String(client.request({ client_id: '\0' }))));
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('client is invalid')]);
  const answer = await client.token({ client_id: '\0', grant_type: 'refresh_token', refresh_token: 'none' });
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
});

it.each(['form_post', 'web_message', 'jwt', 'unknown'])(
  'response mode %s is neither accepted nor advertised, even for an otherwise invalid request',
  async (response_mode) => {
    for (const change of [{}, { code_challenge_method: 'plain' }, { prompt: 'none' }]) {
      const page = await browser.get(pathOf(String(client.request({ response_mode, ...change }))));
      expect([page.status, page.location]).toEqual([400, null]);
      expect(page.text).toContain('unsupported_response_mode');
      expect(page.html).not.toMatch(/<script|<form/);
    }
    for (const document of ['oauth-authorization-server', 'openid-configuration']) {
      const response = await fetch(`${scene.issuer}/.well-known/${document}`);
      expect(await response.json()).toMatchObject({ response_modes_supported: ['query', 'fragment'] });
    }
  },
);

it('response mode fragment works, as advertised', async () => {
  const callback = await decide(browser, client.request({ response_mode: 'fragment' }), 'approve');
  const code = new URLSearchParams(callback.hash.slice(1)).get('code');
  expect(await client.exchange(code!)).toMatchObject({ status: 200 });
});
