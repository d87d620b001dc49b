import { describe, expect, it } from 'vitest';
import {
  isMember,
  memberOf,
  requireApplication,
  requireInternal,
  requireScope,
  SCOPES,
  systemOrigin,
  teamOf,
  TEAMS,
  withArticle,
  type Actor,
  type Role,
  type Scope,
} from './actor.js';
import {
  EDITORS_OR_INTERNAL,
  requiringScope,
  INTERNAL_ONLY,
  ADMINS_OR_INTERNAL,
  MEMBERS_OR_INTERNAL,
  DENY_ALL,
  staffOfTeams,
  authorizeCommand,
  SYSTEM_ONLY,
} from './who-may.js';

const rights = { principalId: 'me', workspaceId: 'w', role: null, scopes: SCOPES } as const;
const person = (role: Role | null, hasRecentPassword = false): Actor => {
  return { ...rights, kind: 'person', person: 'ada@example.com', role, sessionId: 's', hasRecentPassword };
};
const key = (role: Role | null, scopes: readonly Scope[] = SCOPES): Actor => ({
  ...rights,
  kind: 'api_key',
  role,
  scopes,
});
const staff = (team: 'read_only' | 'operations' | 'finance', scopes: readonly Scope[] = SCOPES): Actor => ({
  ...{ ...rights, kind: 'staff', team, scopes },
  person: 'olga@example.com',
});

const ACTORS = {
  'an admin': person('admin'),
  'a member': person('member'),
  'a viewer': person('viewer'),
  'somebody without a role': person(null),
  "an admin's key": key('admin'),
  "an admin's key without the scope": key('admin', ['read', 'contracts:write']),
  "an admin's connection": { ...key('admin'), kind: 'connection' },
  "a member's key": key('member'),
  'a key of nobody': key(null),
  operations: staff('operations'),
  'operations that may only read': staff('operations', ['read']),
  finance: staff('finance'),
  'the service': { ...rights, kind: 'service' },
  'the system': systemOrigin('w', 'runner', 'r').actor,
} as const satisfies Record<string, Actor>;

const teams = ['operations', 'operations that may only read', 'finance', 'the service'] as const;

it.each([
  ['nobody', DENY_ALL, []],
  ['the system only', SYSTEM_ONLY, ['the system']],
  ['the application', INTERNAL_ONLY, [...teams, 'the system']],
  ['managers', ADMINS_OR_INTERNAL, ['an admin', ...teams, 'the system']],
  ['drafters', EDITORS_OR_INTERNAL, ['an admin', 'a member', ...teams, 'the system']],
  ['members', MEMBERS_OR_INTERNAL, ['an admin', 'a member', 'a viewer', ...teams, 'the system']],
  ['somebody without a role here', { ...DENY_ALL, roles: [null] }, ['somebody without a role']],
  ['people of a team', staffOfTeams('finance'), ['finance']],
  [
    'holders of a scope',
    requiringScope('timesheets:write'),
    ['an admin', "an admin's key", "an admin's connection", 'operations', 'finance', 'the service', 'the system'],
  ],
  [
    'holders of a scope that members may have',
    { ...requiringScope('contracts:write'), teams: [] },
    [
      'an admin',
      'a member',
      "an admin's key",
      "an admin's key without the scope",
      "an admin's connection",
      "a member's key",
      'the system',
    ],
  ],
  ['somebody without a role, with a scope', { ...DENY_ALL, roles: [null], scope: 'read' }, ['somebody without a role']],
  ['members, about what is their own', { ...DENY_ALL, own: () => 'me' }, Object.keys(ACTORS).slice(0, 4)],
  ['members, about what is not their own', { ...DENY_ALL, own: () => 'other' }, []],
] as const)('a command for %s is allowed to those actors alone', (_, who, expected) => {
  const may = Object.entries(ACTORS).filter(([, actor]) => {
    try {
      authorizeCommand(who, actor, {});
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
      return false;
    }
  });
  expect(may.map(([name]) => name)).toEqual(expected);
});

describe('the refusal names the actors that may run the command', () => {
  it.each([
    ['a scope', requiringScope('timesheets:write'), ACTORS['a member'], /the scope timesheets:write and a role/],
    ['a team', staffOfTeams('finance', 'support'), ACTORS.operations, /for the team finance, support\./],
    ['nobody', SYSTEM_ONLY, ACTORS.operations, /by itself/],
    ['admins', ADMINS_OR_INTERNAL, ACTORS['a member'], /Only admins of this workspace/],
    ['admins and members', EDITORS_OR_INTERNAL, ACTORS['a viewer'], /Only admins and members of this workspace/],
    ['no credentials', ADMINS_OR_INTERNAL, ACTORS["an admin's key"], /in the application, not with API credentials/],
    ['no person', INTERNAL_ONLY, ACTORS['an admin'], /in the application, not with API credentials/],
  ] as const)('%s', (_, who, actor, said) => {
    expect(() => authorizeCommand(who, actor, {})).toThrow(said);
  });
});

it('pages of the application are for people and internal teams, never for credentials', () => {
  for (const name of ['a viewer', 'operations', 'the service', 'the system'] as const)
    expect(() => requireApplication(ACTORS[name])).not.toThrow();
  for (const name of ["an admin's key", "an admin's connection"] as const)
    expect(() => requireApplication(ACTORS[name])).toThrow('in the application');
});

it('people need a recent password to give access; other actors have no password', () => {
  const who = { ...ADMINS_OR_INTERNAL, needsRecentPassword: true } as const;
  expect(() => authorizeCommand(who, person('admin'), {})).toThrow('password');
  expect(() => authorizeCommand(who, person('member', true), {})).toThrow('Only admins');
  for (const actor of [person('admin', true), staff('finance')])
    expect(() => authorizeCommand(who, actor, {})).not.toThrow();
});

it('an unknown kind of actor may do nothing', () => {
  const planted = { ...rights, kind: 'robot', role: 'admin' } as unknown as Actor;
  for (const ask of [
    () => authorizeCommand({ roles: ['admin', null], scope: null, teams: TEAMS, system: true }, planted, {}),
    () => requireApplication(planted),
    () => requireInternal(planted),
    () => requireScope(planted, 'read'),
    () => teamOf(planted),
    () => isMember(planted),
    () => memberOf(planted),
  ]) {
    expect(ask).toThrow('not for actors of this kind');
  }
});

it('rules for members do not apply to our teams, and credentials are refused actions of the application', () => {
  const system = { ...rights, kind: 'system', role: null } as Actor;
  const key = { ...rights, kind: 'api_key', role: 'admin' } as Actor;
  expect(memberOf(system)).toBeNull();
  expect(() => memberOf(key)).toThrow('in the application, not with API credentials');
});

it('a role stands in a sentence with its article', () => {
  expect((['admin', 'member', 'viewer'] as const).map(withArticle)).toEqual(['an admin', 'a member', 'a viewer']);
});
