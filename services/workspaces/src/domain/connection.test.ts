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
