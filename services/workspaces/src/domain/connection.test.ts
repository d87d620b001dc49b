import { SCOPES, type Role, type Scope } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { decideConsent, effectiveScopes, IDENTITY_SCOPES, scopesOfToken, type ClientStatus } from './connection.js';

describe('scopes of a token', () => {
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
  ])('%j allow %j at most', (signed, scopes) => {
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
  ])('of %j signed, %j granted and %s are %j', (signed, granted, role, scopes) => {
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
  ])('for a client that is %s, by an %s: %s', (status, role, decision) => {
    expect(decideConsent(status, role)).toBe(decision);
  });
});
