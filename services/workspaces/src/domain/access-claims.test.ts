import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { OWN_CLAIMS, readAccessClaims } from './access-claims.js';

const org = newId();
const good = { sub: 'somebody', org_id: org, client_id: 'client', scope: 'openid read' };
const claims = { subject: 'somebody', workspaceId: org, clientId: 'client', scopes: ['openid', 'read'] };

it('says who, where, by whom and what', () => {
  expect(readAccessClaims(good, OWN_CLAIMS)).toEqual(claims);
  expect(readAccessClaims({ ...good, org_id: org.toUpperCase(), scope: ['openid', 'read'] }, OWN_CLAIMS)).toEqual(
    claims,
  );
});

it('reads the names that an issuer has for it', () => {
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
  ['scope', { read: true }],
])('denies access when %s is %j', (name, value) => {
  expect(readAccessClaims({ ...good, [name]: value }, OWN_CLAIMS)).toBeNull();
});
