import type { AdmissionQuestion } from '@payroll/admission';
import { newId, ROLE_SCOPES, SCOPES, type Role } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { admit, type Principal } from './admission.js';

const question = (more: Partial<AdmissionQuestion>): AdmissionQuestion => ({
  credential: null,
  via: 'rest',
  requestId: 'req_1',
  clientAddress: '192.0.2.1',
  scope: null,
  limit: 'reads',
  ...more,
});

/** A key that was given every scope, whatever has become of its owner since. */
const holder = (role: Role, more: Partial<Principal> = {}): Principal => ({
  kind: 'api_key',
  workspaceId: newId(),
  principalId: newId(),
  role,
  scopes: SCOPES,
  integrationEnabled: true,
  writesEnabled: true,
  ...more,
});

describe.each(Object.keys(ROLE_SCOPES) as Role[])('a key of all scopes whose owner is %s now', (role) => {
  it('is handed on with the scopes of that role and no other', () => {
    expect(admit(holder(role), question({})).scopes).toEqual(SCOPES.filter((each) => ROLE_SCOPES[role].includes(each)));
  });

  it.each(SCOPES)('is admitted for %s only where that role has it', (scope) => {
    const admitted = (): unknown => admit(holder(role), question({ scope }));
    if (ROLE_SCOPES[role].includes(scope)) expect(admitted).not.toThrow();
    else expect(admitted).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  });
});

it('an admin’s key has no more scopes than it was given', () => {
  const { scopes } = admit(holder('admin', { scopes: ['read'] }), question({}));
  expect(scopes).toEqual(['read']);
});

it.each([
  ['INTEGRATION_DISABLED', { integrationEnabled: false }, {}],
  ['WRITES_DISABLED', { writesEnabled: false }, { limit: 'writes' }],
] as const)('a switch of the workspace is %s', (code, more, asked) => {
  expect(() => admit(holder('admin', more), question(asked))).toThrow(expect.objectContaining({ code }));
});

it('where writes are not enabled, reads go on; where they are, writes do', () => {
  expect(() => admit(holder('admin', { writesEnabled: false }), question({ limit: 'reads' }))).not.toThrow();
  expect(() => admit(holder('admin'), question({ limit: 'writes' }))).not.toThrow();
});
