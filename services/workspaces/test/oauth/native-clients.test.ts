import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from './client.js';
import { decide, openRequest } from './consenting.js';
import { MCP_URL, Scene } from './scene.js';

// Both libraries mark this option to prevent accidental use; without TLS it is needed here, since all is on this
// machine.
// oxlint-disable-next-line typescript/no-deprecated
const insecureRequests = openid.allowInsecureRequests;
// oxlint-disable-next-line typescript/no-deprecated
const insecureFetch: typeof oauth.allowInsecureRequests = oauth.allowInsecureRequests;

/** The redirect that Cursor registers, without a type. */
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';

const scene = await Scene.open('workspaces_oauth_native');
const place = await scene.workspaces.provision();
const browser = await scene.signedIn(await scene.person([place, 'admin']));
afterAll(() => scene[Symbol.asyncDispose]());

/** A port of this machine that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

it('openid-client registers an application with a private-use scheme and receives its code', async () => {
  const metadata = { client_name: 'Cursor', redirect_uris: [CURSOR], token_endpoint_auth_method: 'none' };
  const config = await openid.dynamicClientRegistration(new URL(scene.issuer), metadata, openid.None(), {
    execute: [insecureRequests],
  });
  expect(config.clientMetadata()).toMatchObject({ application_type: 'native', redirect_uris: [CURSOR] });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CURSOR,
    scope: 'openid offline_access',
    resource: MCP_URL,
    code_challenge_method: 'S256',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
  });
  const { page } = await openRequest(browser, url);
  expect(page.text).toContain('Where it is cursor:');
  const callback = await decide(browser, url, 'approve');
  expect(callback.href.startsWith(`${CURSOR}?`)).toBe(true);
  const tokens = await openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier }, { resource: MCP_URL });
  expect(tokens.token_type).toBe('bearer');
});

it.each([
  ['127.0.0.1', undefined],
  ['localhost', 'web'],
  ['[::1]', 'native'],
])('oauth4webapi can redirect to %s on any port, with the declared type %s', async (host, application_type) => {
  const issuer = new URL(scene.issuer);
  const insecure = { [insecureFetch]: true };
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  const as = await oauth.processDiscoveryResponse(issuer, found);
  const metadata = { redirect_uris: [`http://${host}:33418/callback`], ...(application_type && { application_type }) };
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, metadata, insecure),
  );
  const redirect_uri = `http://${host}:${await freePort()}/callback`;
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri,
    scope: 'read',
    resource: MCP_URL,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const answer = await decide(browser, url, 'approve');
  expect(answer.host).toBe(new URL(redirect_uri).host);
  const callback = oauth.validateAuthResponse(as, client, answer, oauth.expectNoState);
  const none = oauth.None();
  const sent = await oauth.authorizationCodeGrantRequest(as, client, none, callback, redirect_uri, verifier, insecure);
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, sent);
  expect(tokens.token_type).toBe('bearer');
});

describe('a native application can redirect to', () => {
  const LOOPBACK = 'http://127.0.0.1:33418/callback';
  const WEB = 'https://client.example/callback';
  let client: Client;
  beforeAll(async () => {
    client = await Client.register(scene.issuer, { redirect_uris: [LOOPBACK, WEB, CURSOR] });
  });
  const statusOf = async (redirect_uri: string): Promise<number> => {
    const { pathname, search } = client.request({ redirect_uri });
    return (await browser.get(pathname + search)).status;
  };

  it.each([LOOPBACK, WEB, CURSOR])('what it registered: %s', async (registered) => {
    expect(await statusOf(registered)).toBe(303);
  });

  it.each([
    'http://127.0.0.1:5/callbacks',
    'http://127.0.0.1:5/callback?more',
    'http://localhost:5/callback',
    'https://127.0.0.1:33418/callback',
    'http://user@127.0.0.1:33418/callback',
    'http://127.0.0.1.evil.example:33418/callback',
    'https://client.example:444/callback',
    `${CURSOR}/other`,
    'cursor://other/oauth/callback',
  ])('no other URI, such as %s', async (other) => {
    expect(await statusOf(other)).toBe(400);
  });
});
