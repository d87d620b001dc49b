import type { AdmissionRequest } from '@payroll/admission';
import { newId, ROLE_SCOPES, SCOPES, STAFF_TEAMS, type Role } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { admit, type Holder, type Principal, type Visitor, overLimit, toRateLimit } from './admission.js';

const question = (more: Partial<AdmissionRequest>): AdmissionRequest => ({
  credential: null,
  requestId: 'req_1',
  clientAddress: '192.0.2.1',
  scope: null,
  limit: 'reads',
  ...more,
});

/** A key that was granted every scope before its owner's role changed. */
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

describe.each(Object.keys(ROLE_SCOPES) as Role[])('a key with all scopes whose owner is now %s', (role) => {
  it('gets exactly the scopes of that role', () => {
    expect(admit(holder(role), question({})).scopes).toEqual(SCOPES.filter((each) => ROLE_SCOPES[role].includes(each)));
  });

  it.each(SCOPES)('is admitted for %s only if the role has it', (scope) => {
    const admitted = (): unknown => admit(holder(role), question({ scope }));
    if (ROLE_SCOPES[role].includes(scope)) expect(admitted).not.toThrow();
    else expect(admitted).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  });
});

it('an admin’s key has no more scopes than it was granted', () => {
  const { scopes } = admit(holder('admin', { scopes: ['read'] }), question({}));
  expect(scopes).toEqual(['read']);
});

it.each([
  ['INTEGRATION_DISABLED', { integrationEnabled: false }, {}],
  ['WRITES_DISABLED', { writesEnabled: false }, { limit: 'writes' }],
] as const)('the switch of the workspace refuses with %s', (code, more, asked) => {
  expect(() => admit(holder('admin', more), question(asked))).toThrow(expect.objectContaining({ code }));
});

it('with writes disabled, reads still work; with writes enabled, both do', () => {
  expect(() => admit(holder('admin', { writesEnabled: false }), question({ limit: 'reads' }))).not.toThrow();
  expect(() => admit(holder('admin'), question({ limit: 'writes' }))).not.toThrow();
});

describe('a signed-in person', () => {
  const membership = {
    workspaceId: newId(),
    membershipId: newId(),
    role: 'viewer',
    lacksRequiredFactor: false,
  } as const;
  const visitor: Visitor = {
    kind: 'session',
    sessionId: 's',
    isRecent: true,
    email: 'ada@example.com',
    membership,
    access: null,
    names: { person: 'Ada', workspace: 'Work' },
  };

  it('acts as their membership', () => {
    const { workspaceId, membershipId: principalId, role } = membership;
    const expected = {
      kind: 'person',
      person: 'ada@example.com',
      workspaceId,
      principalId,
      role,
      sessionId: 's',
      hasRecentPassword: true,
      scopes: SCOPES,
    };
    expect(admit(visitor, question({ limit: 'writes' }))).toEqual(expected);
  });

  it('has no role and no scopes when acting as a worker', () => {
    const access = { workspaceId: newId(), accessId: newId(), workerId: newId(), hasSecondFactor: true };
    expect(admit({ ...visitor, membership: null, access }, question({ as: 'worker' }))).toEqual({
      kind: 'worker',
      principalId: access.accessId,
      workspaceId: access.workspaceId,
      workerId: access.workerId,
      role: null,
      scopes: [],
      person: 'ada@example.com',
      sessionId: 's',
      hasRecentPassword: true,
      hasRecentFactor: true,
    });
  });

  it('gets NOT_FOUND for a workspace they do not belong to', () => {
    const stranger = { ...visitor, membership: null };
    expect(() => admit(stranger, question({}))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

describe('the holder of an internal token', () => {
  const of = { kind: 'token', workspaceId: newId(), principalId: newId() } as const;
  const { workspaceId, principalId } = of;
  const staff = (team: (typeof STAFF_TEAMS)[number]): Holder => ({ ...of, team, owner: 'olga@example.com' });

  it('is a service, which needs no reason', () => {
    expect(admit({ ...of, team: 'service' }, question({}))).toEqual({
      kind: 'service',
      workspaceId,
      principalId,
      role: null,
      scopes: SCOPES,
    });
  });

  it.each(STAFF_TEAMS)('is a person of %s, with a reason', (team) => {
    expect(admit(staff(team), question({ reason: ' A call ' }))).toEqual({
      kind: 'staff',
      team,
      person: 'olga@example.com',
      workspaceId,
      principalId,
      role: null,
      scopes: team === 'read_only' ? ['read'] : SCOPES,
    });
    expect(() => admit(staff(team), question({ reason: 'x'.repeat(500) }))).not.toThrow();
  });

  it.each([
    [null, 'required'],
    ['', 'required'],
    ['   ', 'required'],
    ['x'.repeat(501), 'too_long'],
    ['nul \0', 'invalid_characters'],
  ])('must give a reason: %j is %s', (reason, code) => {
    const details = [{ path: 'x-reason', code }];
    const refusal = expect.objectContaining({ code: 'INVALID_REQUEST', details }) as Error;
    expect(() => admit(staff('support'), question(reason === null ? {} : { reason }))).toThrow(refusal);
  });
});

describe('overLimit', () => {
  it.each([
    [[], null],
    [[{ name: 'reads', position: 600, resetSeconds: 7 }], null],
    [[{ name: 'reads', position: 601, resetSeconds: 7 }], 7],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2001, resetSeconds: 9 },
      ],
      9,
    ],
    [
      [
        { name: 'writes', position: 61, resetSeconds: 7 },
        { name: 'workspace', position: 2000, resetSeconds: 9 },
      ],
      7,
    ],
    [[{ name: 'failures', position: 30, resetSeconds: 7 }], null],
    [[{ name: 'failures', position: 31, resetSeconds: 7 }], 7],
  ] as const)('%j waits %s s', (standings, wait) => {
    expect(overLimit(standings)?.retryAfterSeconds ?? null).toBe(wait);
  });

  it('the remaining requests are never below zero', () => {
    expect(toRateLimit({ name: 'reads', position: 1, resetSeconds: 60 })).toMatchObject({ quota: 600, remaining: 599 });
    expect(toRateLimit({ name: 'reads', position: 700, resetSeconds: 60 }).remaining).toBe(0);
  });
});
