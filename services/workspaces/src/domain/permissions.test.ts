import { describe, expect, it } from 'vitest';
import { SCOPES, type Actor, type Role } from '@payroll/kernel';
import { personIn, requireManager, requireManagerOrSelf, requireOwnKey } from './permissions.js';

const [WORKSPACE, ME, OTHER] = ['w', 'me', 'other'];
const person = (role: Role): Actor => personIn({ workspaceId: WORKSPACE, membershipId: ME, role }, 'session');
const actor = (kind: Exclude<Actor['kind'], 'staff' | 'person'>): Actor => {
  return { kind, principalId: ME, workspaceId: WORKSPACE, role: null, scopes: SCOPES };
};
const STAFF: Actor = { ...actor('service'), kind: 'staff', team: 'operations', person: 'olga@example.com' };

const allows = (work: () => void): boolean => {
  try {
    work();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    return false;
  }
};

it.each([
  [person('admin'), true],
  [person('member'), false],
  [person('viewer'), false],
  [{ ...person('admin'), role: null }, false],
  [actor('api_key'), false],
  [actor('connection'), false],
  [STAFF, true],
  [actor('service'), true],
  [actor('system'), true],
])('whether %j manages a workspace: %s', (who, may) => {
  expect(allows(() => requireManager(who))).toBe(may);
});

describe('a viewer', () => {
  const viewer = person('viewer');

  it('may leave, and remove nobody else', () => {
    expect(allows(() => requireManagerOrSelf(viewer, ME))).toBe(true);
    expect(allows(() => requireManagerOrSelf(viewer, OTHER))).toBe(false);
  });
});

it('an admin makes keys that act for themselves; internal teams for anybody', () => {
  const admin = person('admin');
  expect(allows(() => requireOwnKey(admin, ME))).toBe(true);
  expect(allows(() => requireOwnKey(admin, OTHER))).toBe(false);
  expect(allows(() => requireOwnKey(person('member'), ME))).toBe(false);
  expect(allows(() => requireOwnKey(STAFF, OTHER))).toBe(true);
});
