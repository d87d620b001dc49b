import { describe, expect, it } from 'vitest';
import type { Actor } from '@payroll/kernel';
import { personIn, requireManager, requireManagerOrSelf, requireOwnKey } from './permissions.js';

const [WORKSPACE, ME, OTHER] = ['w', 'me', 'other'];
const actor = (kind: Exclude<Actor['kind'], 'staff'>): Actor => {
  return { ...personIn(WORKSPACE, ME, 'admin'), kind, role: null };
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
  [personIn(WORKSPACE, ME, 'admin'), true],
  [personIn(WORKSPACE, ME, 'member'), false],
  [personIn(WORKSPACE, ME, 'viewer'), false],
  [actor('person'), false],
  [actor('api_key'), false],
  [actor('connection'), false],
  [STAFF, true],
  [actor('service'), true],
  [actor('system'), true],
])('whether %j manages a workspace: %s', (who, may) => {
  expect(allows(() => requireManager(who))).toBe(may);
});

describe('a viewer', () => {
  const viewer = personIn(WORKSPACE, ME, 'viewer');

  it('may leave, and remove nobody else', () => {
    expect(allows(() => requireManagerOrSelf(viewer, ME))).toBe(true);
    expect(allows(() => requireManagerOrSelf(viewer, OTHER))).toBe(false);
  });
});

it('an admin makes keys that act for themselves; internal teams for anybody', () => {
  const admin = personIn(WORKSPACE, ME, 'admin');
  expect(allows(() => requireOwnKey(admin, ME))).toBe(true);
  expect(allows(() => requireOwnKey(admin, OTHER))).toBe(false);
  expect(allows(() => requireOwnKey(personIn(WORKSPACE, ME, 'member'), ME))).toBe(false);
  expect(allows(() => requireOwnKey(STAFF, OTHER))).toBe(true);
});
