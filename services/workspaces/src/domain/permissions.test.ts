import { SCOPES, type Actor } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { personIn, requireOwner } from './permissions.js';

const [WORKSPACE, ME, OTHER] = ['w', 'me', 'other'];
const admin = personIn({ workspaceId: WORKSPACE, membershipId: ME, role: 'admin' }, 'session');
const rights = { principalId: ME, workspaceId: WORKSPACE, role: null, scopes: SCOPES } as const;
const STAFF: Actor = { ...rights, kind: 'staff', team: 'operations', person: 'olga@example.com' };

it('people get what acts for them, and not for others; internal teams get it for anybody', () => {
  expect(() => requireOwner(admin, ME)).not.toThrow();
  expect(() => requireOwner(admin, OTHER)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  expect(() => requireOwner(STAFF, OTHER)).not.toThrow();
});
