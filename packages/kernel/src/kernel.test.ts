import { describe, expect, it } from 'vitest';
import {
  requireInternal,
  requireScope,
  ROLE_SCOPES,
  SCOPES,
  STAFF_TEAMS,
  systemOrigin,
  teamOf,
  type Actor,
  type StaffTeam,
} from './actor.js';
import { isId, newId } from './id.js';
import { canonicalJson } from './text.js';
import { transition, type StateMachine } from './state-machine.js';

const WORKSPACE = newId();
const actor = (over: Partial<Pick<Actor, 'role' | 'scopes'>>, kind: 'api_key' | 'connection' = 'api_key'): Actor => ({
  kind,
  principalId: newId(),
  workspaceId: WORKSPACE,
  role: 'admin',
  scopes: SCOPES,
  ...over,
});

const staff = (team: StaffTeam): Actor => ({
  ...actor({ role: null }),
  kind: 'staff',
  team,
  person: 'olga@example.com',
});

describe('authorization', () => {
  it.each(['admin', 'member', 'viewer'] as const)('a %s never exceeds role ∩ scopes', (role) => {
    for (const scope of SCOPES) {
      const allowed = ROLE_SCOPES[role].includes(scope);
      const attempt = (): void => requireScope(actor({ role }), scope);
      if (allowed) expect(attempt).not.toThrow();
      else expect(attempt).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
      expect(() => requireScope(actor({ role, scopes: [] }), scope)).toThrow();
    }
  });

  it('a credential without a role has no rights, except internal ones', () => {
    expect(() => requireScope(actor({ role: null }), 'read')).toThrow();
    expect(() => requireScope(staff('read_only'), 'read')).not.toThrow();
  });

  it('only actors of the internal endpoint have a team', () => {
    for (const team of STAFF_TEAMS) expect(teamOf(staff(team))).toBe(team);
    expect(teamOf({ ...actor({ role: null }), kind: 'service' })).toBe('service');
    expect(teamOf(actor({}))).toBeNull();
    expect(teamOf(actor({}, 'connection'))).toBeNull();
    expect(teamOf(systemOrigin(WORKSPACE, 'event', 'r').actor)).toBeNull();
  });

  it('keys and connections are refused what the application does', () => {
    expect(() => requireInternal(actor({}))).toThrow();
    expect(() => requireInternal(actor({}, 'connection'))).toThrow();
    expect(() => requireInternal(systemOrigin(WORKSPACE, 'event', 'r').actor)).not.toThrow();
  });
});

describe('canonical JSON', () => {
  it('does not depend on the order of keys, at any depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
    expect(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] })).toBe(canonicalJson({ b: [{ d: 1, c: 2 }], a: null }));
  });

  it('keeps the order of lists', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});

describe('ids', () => {
  it('are UUIDs that sort by creation time', () => {
    const ids = Array.from({ length: 50 }, newId);
    expect(ids.every(isId)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
  });

  it('accepts versions 1–8, all-zero and all-f in either case, and nothing else', () => {
    for (const version of '12345678') expect(isId(`00000000-0000-${version}000-8000-000000000000`)).toBe(true);
    expect(isId('00000000-0000-0000-0000-000000000000')).toBe(true);
    expect(isId('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF')).toBe(true);
    expect(isId('00000000-0000-9000-8000-000000000000')).toBe(false);
    expect(isId('not an id')).toBe(false);
  });
});

describe('state machines', () => {
  const door: StateMachine<'open' | 'closed', 'open' | 'close'> = {
    open: { close: 'closed' },
    closed: { open: 'open' },
  };

  it('follow existing edges and refuse others with both names', () => {
    expect(transition(door, 'door', 'open', 'close')).toBe('closed');
    expect(() => transition(door, 'door', 'open', 'open')).toThrow('The door is open');
  });
});
