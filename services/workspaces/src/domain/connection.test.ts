import { newId, type Role, type Scope, SCOPES } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  type ClientStatus,
  decideConsent,
  effectiveScopes,
  IDENTITY_SCOPES,
  OWN_CLAIMS,
  readAccessClaims,
  scopesOfToken,
  displayName,
  hostOf,
  normalizeClientMetadata,
  type ClaimedMetadata,
} from './connection.js';

describe('the scopes of a token', () => {
  it.each<[string[], readonly Scope[]]>([
    [[...IDENTITY_SCOPES], SCOPES],
    [['openid'], SCOPES],
    [['openid', 'read'], ['read']],
    [
      ['timesheets:write', 'read'],
      ['read', 'timesheets:write'],
    ],
    [['openid', 'everything'], []],
    [['everything'], []],
    [['READ'], []],
    [[], []],
  ])('the signed scopes %j allow at most %j', (signed, scopes) => {
    expect(scopesOfToken(signed)).toEqual(scopes);
  });
});

describe('effective scopes', () => {
  it.each<[readonly Scope[], readonly Scope[], Role, readonly Scope[]]>([
    [SCOPES, SCOPES, 'admin', SCOPES],
    [SCOPES, SCOPES, 'member', ['read', 'contracts:write']],
    [SCOPES, SCOPES, 'viewer', ['read']],
    [['read'], SCOPES, 'admin', ['read']],
    [SCOPES, ['read'], 'admin', ['read']],
    [['timesheets:write'], SCOPES, 'viewer', []],
    [['contracts:write'], ['read'], 'admin', []],
  ])('%j signed and %j granted with the role %s give %j', (signed, granted, role, scopes) => {
    expect(effectiveScopes(signed, granted, role)).toEqual(scopes);
  });
});

describe('consent', () => {
  it.each<[ClientStatus | null, Role, ReturnType<typeof decideConsent>]>([
    ['enabled', 'viewer', 'allowed'],
    ['enabled', 'admin', 'allowed'],
    ['asked', 'admin', 'enables'],
    ['disabled', 'admin', 'enables'],
    [null, 'admin', 'enables'],
    ['asked', 'member', 'refused'],
    ['disabled', 'viewer', 'refused'],
    [null, 'member', 'refused'],
  ])('for a client that is %s, by the role %s: %s', (status, role, decision) => {
    expect(decideConsent(status, role)).toBe(decision);
  });
});

const org = newId();
const good = { sub: 'somebody', org_id: org, client_id: 'client', scope: 'openid read' };
const claims = { subject: 'somebody', workspaceId: org, clientId: 'client', scopes: ['openid', 'read'] };

it('claims name the person, the workspace, the client and the scopes', () => {
  expect(readAccessClaims(good, OWN_CLAIMS)).toEqual(claims);
  expect(readAccessClaims({ ...good, org_id: org.toUpperCase(), scope: ['openid', 'read'] }, OWN_CLAIMS)).toEqual(
    claims,
  );
});

it('claims can have the names that an issuer uses', () => {
  const names = { organization: 'https://issuer.example/org', client: 'azp', scope: 'scp' };
  const payload = { sub: 'somebody', 'https://issuer.example/org': org, azp: 'client', scp: ['openid', 'read'] };
  expect(readAccessClaims(payload, names)).toEqual(claims);
  expect(readAccessClaims(good, names)).toBeNull();
});

it.each([
  ['sub', undefined],
  ['sub', 7],
  ['org_id', undefined],
  ['org_id', 'no id'],
  ['org_id', [org]],
  ['client_id', undefined],
  ['client_id', ''],
  ['scope', undefined],
  ['scope', ''],
  ['scope', ' '],
  ['scope', []],
  ['scope', [7]],
  ['scope', ['read', 7]],
  ['scope', { read: true }],
])('access is denied if %s is %j', (name, value) => {
  expect(readAccessClaims({ ...good, [name]: value }, OWN_CLAIMS)).toBeNull();
});

function settled(metadata: ClaimedMetadata): ClaimedMetadata {
  const copy = { redirect_uris: ['https://client.example/callback'], ...metadata };
  expect(normalizeClientMetadata(copy)).toBeNull();
  return copy;
}

const problemOf = (...uris: unknown[]): string | null => normalizeClientMetadata({ redirect_uris: uris });

describe('OAuth client metadata', () => {
  it('is replaced by what we offer, whatever the client requests', () => {
    const asked = {
      client_id: 'id',
      client_name: 'Assistant',
      client_secret: 'made for it before we were asked',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials', 'implicit'],
      response_types: ['token'],
      scope: 'everything',
      sector_identifier_uri: 'https://inside.example/',
      jwks_uri: 'https://inside.example/',
    };
    expect(settled(asked)).toEqual({
      client_id: 'id',
      client_name: 'Assistant',
      redirect_uris: ['https://client.example/callback'],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each([
    ['https://client.example/callback'],
    ['http://127.0.0.1:8123/callback'],
    ['http://localhost/callback'],
    ['http://[::1]:1/'],
    ['com.example.app:/callback'],
    ['assistant://auth/callback'],
    [`https://client.example/${'x'.repeat(2_000 - 'https://client.example/'.length)}`],
  ])('accepts the redirect %s', (uri) => {
    expect(problemOf(uri)).toBeNull();
  });

  it.each([
    ['http://client.example/callback'],
    ['http://127.0.0.1.client.example/'],
    ['http://localhost.client.example/'],
    ['https://user@client.example/'],
    ['https://client.example/#fragment'],
    ['https://client.example/#'],
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['no uri'],
    [''],
    [7],
    [`https://client.example/${'x'.repeat(2_000)}`],
  ])('refuses the redirect %s', (uri) => {
    expect(problemOf('https://client.example/callback', uri)).toContain('redirect_uris');
  });

  it.each(['\0', '\ud800'])('refuses the character %j, which Postgres does not store', (character) => {
    const uri = `https://client.example/${character}`;
    for (const metadata of [{ client_uri: uri }, { redirect_uris: [uri] }]) {
      const claimed = { redirect_uris: ['https://client.example/callback'], ...metadata };
      expect(normalizeClientMetadata(claimed)).toContain('characters');
    }
  });

  it('must have redirects, and not too many', () => {
    expect(problemOf(...Array.from({ length: 20 }, (_, n) => `https://client.example/${n}`))).toBeNull();
    expect(problemOf()).toContain('must contain members');
    expect(normalizeClientMetadata({})).toContain('must contain members');
    expect(normalizeClientMetadata({ redirect_uris: 'https://client.example/' })).toContain('must contain members');
    expect(problemOf(...Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`))).toContain('at most');
  });

  it.each([
    [['https://client.example/'], 'web'],
    [['http://127.0.0.1:8123/callback'], 'native'],
    [['http://127.0.0.1/callback'], 'native'],
    [['https://client.example/', 'assistant://callback'], 'native'],
  ])('with the redirect %j is of type %s, whatever it declares', (redirect_uris, type) => {
    expect(settled({ redirect_uris })['application_type']).toBe(type);
    for (const application_type of ['native', 'web', 7]) {
      expect(settled({ redirect_uris, application_type })['application_type']).toBe(type);
    }
  });
});

describe('the name of a client', () => {
  it.each([
    ['Assistant', 'Assistant'],
    ['  two\n\nlines\t', 'two lines'],
    ['abc\u202Edef\u0000\u2028ghi', 'abc def ghi'],
    ['', 'client.example'],
    [undefined, 'client.example'],
    [{ not: 'text' }, 'client.example'],
    ['😀'.repeat(101), '😀'.repeat(100)],
  ])('%j is shown as %j', (name, shown) => {
    expect(displayName(name, ['https://client.example/'])).toBe(shown);
  });
});

it.each([
  ['https://client.example:8443/callback', 'client.example:8443'],
  ['http://127.0.0.1:99/callback', 'this computer'],
  ['assistant://callback', 'assistant:'],
  ['nothing', ''],
])('for %s the shown host is %s', (uri, host) => {
  expect(hostOf(uri)).toBe(host);
});
