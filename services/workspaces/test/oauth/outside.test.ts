import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectionResponse } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { afterAll, beforeEach, expect, it } from 'vitest';
import {
  disableMcpClient,
  enableMcpClient,
  renewMcpConnection,
  revokeMcpConnection,
} from '../../src/commands/connections.js';
import { changeMemberRole } from '../../src/commands/members.js';
import { connectionAdmission } from '../../src/admission/handle-connections.js';
import type { ExternalIssuer } from '../../src/admission/token-issuer.js';
import { listMcpClients, listMcpConnections } from '../../src/queries/credentials.js';
import { Workspaces, type Place } from '../support.js';
import { askAbout, MCP_URL, SECRET, codeOf } from './scene.js';

/** The claims that the external issuer puts into a token. */
let claims: Record<string, unknown>;
let place: Place;

const ORG = 'https://issuer.example/organization';
const CLIENT = 'assistant';

const workspaces = await Workspaces.open('workspaces_oauth_outside');
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const provider = otherIssuer(issuer, { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' });
server.on('request', (request, response) => void provider.callback()(request, response));
const names = { organization: ORG, client: 'client_id', scope: 'scope' };
const outside: ExternalIssuer = {
  issuer,
  jwksUrl: `${issuer}/jwks`,
  audience: MCP_URL,
  claims: names,
  emailClaim: 'email',
};
const settings = { issuer: 'https://unused.example', mcpUrl: MCP_URL, secret: SECRET, metadataRanges: [], outside };
const options = connectionAdmission(workspaces, settings);
afterAll(async () => {
  await workspaces[Symbol.asyncDispose]();
  server.close().closeAllConnections();
});
beforeEach(async () => {
  place = await workspaces.provision();
  claims = { [ORG]: place.workspaceId, sub: newId(), email: 'ada@example.com', email_verified: true };
});

/** A second, independent authorization server with its own keys, clients and claim names. */
function otherIssuer(issuer: string, jwk: object): Provider {
  return new Provider(issuer, {
    jwks: { keys: [jwk as never] },
    clients: [CLIENT, 'another'].map((client_id) => ({
      ...{
        client_id,
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
      id_token_signed_response_alg: 'ES256',
    })),
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: 'openid profile read timesheets:write',
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    formats: { customizers: { jwt: (_ctx, _token, jwt) => void Object.assign(jwt.payload, claims) } },
  });
}

async function token(scope = 'openid profile', client = CLIENT, resource = MCP_URL): Promise<string> {
  const response = await fetch(`${outside.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (!body.access_token) throw new Error(JSON.stringify(body));
  return body.access_token;
}

const ask = (accessToken: string): Promise<ConnectionResponse> => askAbout(options, accessToken);
const principalOf = (answer: ConnectionResponse): string => ('admitted' in answer ? answer.admitted.principalId : '');
const enable = (id = CLIENT) => workspaces.run(enableMcpClient, { id, name: 'Assistant', hosts: [] }, place.origin);

it("finds members by the issuer's verified address, and connects clients that an admin enabled", async () => {
  const mine = await token();
  expect(codeOf(await ask(mine))).toBe('INSUFFICIENT_SCOPE');
  expect(await listMcpClients(workspaces.em, place.workspaceId)).toMatchObject([{ id: CLIENT, status: 'asked' }]);
  await enable();
  const answer = await ask(mine);
  expect(answer).toMatchObject({ admitted: { workspaceId: place.workspaceId, role: 'admin', scopes: SCOPES } });
  expect(principalOf(await ask(await token()))).toBe(principalOf(answer));
});

it('lists a client whose id is a long address for the admins', async () => {
  const id = `https://client.example/${'folder/'.repeat(100)}`;
  claims['client_id'] = id;
  expect(codeOf(await ask(await token()))).toBe('INSUFFICIENT_SCOPE');
  expect(await listMcpClients(workspaces.em, place.workspaceId)).toMatchObject([{ id, status: 'asked' }]);
  await enable(id);
  expect(codeOf(await ask(await token()))).toBe('admitted');
});

it('scopes are limited by the signed ones, the grant and the live role', async () => {
  await enable();
  const limited = await token('read timesheets:write');
  expect(await ask(limited)).toMatchObject({ admitted: { scopes: ['read', 'timesheets:write'] } });
  await workspaces.member(place, 'admin');
  await workspaces.run(changeMemberRole, { id: place.membershipId, role: 'viewer' }, place.origin);
  expect(await ask(limited)).toMatchObject({ admitted: { scopes: ['read'] } });
});

it.each<[string, () => Promise<string>]>([
  ['an address that is not verified', () => ((claims['email_verified'] = false), token())],
  ['an address of no member', () => ((claims['email'] = 'other@example.com'), token())],
  ['no address', () => (delete claims['email'], token())],
  ['no organization', () => (delete claims[ORG], token())],
  ['an organization that does not exist here', () => ((claims[ORG] = newId()), token())],
  ['no scope', () => ((claims['scope'] = undefined), token())],
  ['no client', () => ((claims['client_id'] = undefined), token())],
  ['another audience', () => token('openid', CLIENT, 'https://other.example/mcp')],
  ['an expiry in the past', () => ((claims['exp'] = 1_700_000_000), token())],
])('a token with %s is refused', async (_, make) => {
  await enable();
  expect(codeOf(await ask(await make()))).toBe('INVALID_CREDENTIAL');
});

it('tokens signed by the embedded server or another issuer are refused', async () => {
  await enable();
  const [header = '', payload = '', signature = ''] = (await token()).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const hmac = Buffer.from('{"alg":"HS256"}').toString('base64url');
  const altered = Buffer.from(JSON.stringify({ ...claims, aud: MCP_URL })).toString('base64url');
  for (const bad of [`${none}.${payload}.`, `${hmac}.${payload}.${signature}`, `${header}.${altered}.${signature}`]) {
    expect(codeOf(await ask(bad))).toBe('INVALID_CREDENTIAL');
  }
});

it('a revoked connection stays revoked when its token is refreshed, until it is renewed', async () => {
  await enable();
  const before = principalOf(await ask(await token()));
  const { nodes } = await listMcpConnections(workspaces.em, place.origin.actor, { includeRevoked: false, limit: 9 });
  const { id } = nodes[0]!;
  await workspaces.run(revokeMcpConnection, { id }, place.origin);
  expect(codeOf(await ask(await token()))).toBe('INVALID_CREDENTIAL');
  const renewed = await workspaces.run(renewMcpConnection, { id }, place.origin);
  expect(await workspaces.run(renewMcpConnection, { id }, place.origin)).toEqual(renewed);
  const after = principalOf(await ask(await token()));
  expect(after).not.toBe('');
  expect(after).not.toBe(before);
});

it('a connection revoked with its client cannot be renewed until an admin enables the client', async () => {
  await enable();
  await ask(await token());
  const { nodes } = await listMcpConnections(workspaces.em, place.origin.actor, { includeRevoked: false, limit: 9 });
  const { id, clientId } = nodes[0]!;
  await workspaces.run(disableMcpClient, { id: clientId }, place.origin);
  await expect(workspaces.run(renewMcpConnection, { id }, place.origin)).rejects.toThrow('not enabled');
  expect(codeOf(await ask(await token()))).toBe('INVALID_CREDENTIAL');
});

it('another subject with the same address is another person', async () => {
  await enable();
  expect(codeOf(await ask(await token()))).toBe('admitted');
  claims['sub'] = newId();
  expect(codeOf(await ask(await token()))).toBe('INVALID_CREDENTIAL');
});

it("while the issuer's keys cannot be fetched, returns SERVICE_UNAVAILABLE, not a refusal", async () => {
  const mine = await token();
  const settings = { issuer: 'https://unused.example', mcpUrl: MCP_URL, secret: SECRET, metadataRanges: [] };
  const away = connectionAdmission(workspaces, {
    ...settings,
    outside: { ...outside, jwksUrl: 'http://127.0.0.1:9/jwks' },
  });
  const answer = await askAbout(away, mine);
  expect(codeOf(answer)).toBe('SERVICE_UNAVAILABLE');
});
