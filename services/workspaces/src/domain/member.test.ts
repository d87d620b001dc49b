import { type Actor, type Role, SCOPES } from '@payroll/kernel';
import { expect, it } from 'vitest';
import {
  invitationOver,
  isOpen,
  personIn,
  requireAnotherAdmin,
  requireFactorOfAdmins,
  requireOwner,
} from './member.js';

const [WORKSPACE, ME, OTHER] = ['w', 'me', 'other'];
const admin = personIn(
  { workspaceId: WORKSPACE, membershipId: ME, role: 'admin' },
  { sessionId: 'session', isRecent: true, email: 'ada@example.com' },
);
const rights = { principalId: ME, workspaceId: WORKSPACE, role: null, scopes: SCOPES } as const;
const STAFF: Actor = { ...rights, kind: 'staff', team: 'operations', person: 'olga@example.com' };

it('members manage only what acts for them; internal teams manage it for everyone', () => {
  expect(() => requireOwner(admin, ME)).not.toThrow();
  expect(() => requireOwner(admin, OTHER)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  expect(() => requireOwner(STAFF, OTHER)).not.toThrow();
});

it('a required second factor keeps out admins without one, and no other member', () => {
  const ask = (role: Role, lacksRequiredFactor: boolean) => () => requireFactorOfAdmins({ role, lacksRequiredFactor });
  expect(ask('admin', true)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  for (const allowed of [ask('admin', false), ask('member', true), ask('viewer', true)]) expect(allowed).not.toThrow();
});

const now = '2027-01-01T00:00:00.000000Z';
const later = '2027-01-01T00:00:00.000001Z';
const fresh = { acceptedAt: null, revokedAt: null, expiresAt: later };

it.each([
  [fresh, true],
  [{ ...fresh, expiresAt: now }, false],
  [{ ...fresh, acceptedAt: now }, false],
  [{ ...fresh, revokedAt: now }, false],
])('the invitation %j is open: %s', (invitation, open) => expect(isOpen(invitation, now)).toBe(open));

it('a workspace keeps an admin, who can sign in if there was one', () => {
  const [ada, bo] = [
    { id: 'ada', accountId: 'a' },
    { id: 'bo', accountId: 'b' },
  ];
  const [kim, lou] = [
    { id: 'kim', accountId: null },
    { id: 'lou', accountId: null },
  ];
  const last = expect.objectContaining({ code: 'INVALID_STATE' }) as Error;
  for (const admins of [[ada], [kim, ada]]) expect(() => requireAnotherAdmin(admins, 'ada')).toThrow(last);
  expect(() => requireAnotherAdmin([kim], 'kim')).toThrow(last);
  expect(() => requireAnotherAdmin([ada], 'vic')).not.toThrow();
  expect(() => requireAnotherAdmin([ada, bo], 'ada')).not.toThrow();
  expect(() => requireAnotherAdmin([ada, kim], 'kim')).not.toThrow();
  expect(() => requireAnotherAdmin([kim, lou], 'kim')).not.toThrow();
});

it('an invitation that is not open is not found', () => expect(invitationOver().code).toBe('NOT_FOUND'));
