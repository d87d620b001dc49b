import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { Browser } from '../pages/browser.js';
import type { Place } from '../support.js';
import { decide } from './consenting.js';
import { MCP_URL, Scene, type Person } from './scene.js';

const CALLBACK = 'https://client.example/callback';
const SCOPE = 'openid profile email offline_access';

// Both libraries mark this option to prevent accidental use; without TLS it is needed here, since all is on this
// machine.
// oxlint-disable-next-line typescript/no-deprecated
const insecureRequests = openid.allowInsecureRequests;
// oxlint-disable-next-line typescript/no-deprecated
const insecureFetch: typeof oauth.allowInsecureRequests = oauth.allowInsecureRequests;

let place: Place;
let admin: Person;
let browser: Browser;
const scene = await Scene.open('workspaces_oauth_clients');
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  admin = await scene.person([place, 'admin']);
  browser = await scene.signedIn(admin);
});

interface Begun {
  callback: URL;
  checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string };
}

function register(): Promise<openid.Configuration> {
  const metadata = { client_name: 'Assistant', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  return openid.dynamicClientRegistration(new URL(scene.issuer), metadata, openid.None(), {
    execute: [insecureRequests],
  });
}

/** A sign-in up to the redirect with a code. */
async function begin(config: openid.Configuration): Promise<Begun> {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    resource: MCP_URL,
    state: expectedState,
    nonce: expectedNonce,
    prompt: 'consent',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const callback = await decide(browser, url, 'approve');
  return { callback, checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

it('openid-client discovers the server, registers, signs a person in, refreshes and revokes', async () => {
  const config = await register();
  const { callback, checks } = await begin(config);
  const tokens = await openid.authorizationCodeGrant(config, callback, checks, { resource: MCP_URL });
  expect(tokens.claims()).toMatchObject({ sub: admin.accountId, email: admin.email, email_verified: false });
  const info = await openid.fetchUserInfo(config, tokens.access_token, admin.accountId);
  // The address is not verified, so clients do not link it to an existing account.
  expect(info).toEqual({ sub: admin.accountId, name: 'Ada Admin', email: admin.email, email_verified: false });

  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!, { resource: MCP_URL });
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  await openid.tokenRevocation(config, refreshed.refresh_token!);
  await expect(openid.refreshTokenGrant(config, refreshed.refresh_token!)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});

it('oauth4webapi does the same by RFC 8414 and gets a token with subject, client and audience', async () => {
  const issuer = new URL(scene.issuer);
  const insecure = { [insecureFetch]: true };
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  );
  expect(as).toMatchObject({
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [CALLBACK] }, insecure),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(as.authorization_endpoint!);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'read contracts:write',
    resource: MCP_URL,
    code_challenge_method: 'S256',
    state: 'state',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  }).toString();
  const callback = oauth.validateAuthResponse(as, client, await decide(browser, url, 'approve'), 'state');
  const response = await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), callback, CALLBACK, verifier, {
    ...insecure,
    additionalParameters: { resource: MCP_URL },
  });
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
  expect(tokens.expires_in).toBe(300);
  expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' });
  expect(decodeJwt(tokens.access_token)).toMatchObject({
    iss: scene.issuer,
    aud: MCP_URL,
    sub: admin.accountId,
    client_id: client.client_id,
    org_id: place.workspaceId,
    scope: 'read contracts:write',
  });
  const refresh = await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure);
  const refreshed = await oauth.processRefreshTokenResponse(as, client, refresh);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure),
  );
});

it("mixed-up sign-ins are detected: each answer has its own request's state, nonce and issuer", async () => {
  const config = await register();
  const [one, other] = [await begin(config), await begin(config)];
  const grant = ({ callback, checks }: Begun) => openid.authorizationCodeGrant(config, callback, checks);
  const change = (name: string, value: string): URL => {
    const callback = new URL(one.callback);
    callback.searchParams.set(name, value);
    return callback;
  };
  const complaint = (about: string): object => ({ cause: { message: expect.stringContaining(about) as string } });
  await expect(grant({ ...one, callback: other.callback })).rejects.toMatchObject(complaint('"state"'));
  await expect(grant({ ...one, callback: change('iss', 'https://issuer.example') })).rejects.toMatchObject(
    complaint('"iss"'),
  );
  const code = other.callback.searchParams.get('code')!;
  await expect(grant({ ...one, callback: change('code', code) })).rejects.toMatchObject({ error: 'invalid_grant' });
  const wrongNonce = { ...one.checks, expectedNonce: other.checks.expectedNonce };
  await expect(grant({ ...one, checks: wrongNonce })).rejects.toMatchObject(complaint('"nonce"'));
  await expect(grant(other)).resolves.toMatchObject({ token_type: 'bearer' });
});
