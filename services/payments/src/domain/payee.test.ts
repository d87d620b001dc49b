import type { Actor } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import {
  enteredBy,
  followPayee,
  requireSecondPerson,
  requireSeen,
  VERIFICATION_STATUSES,
  type PayeeEdge,
  type VerificationStatus,
} from './payee.js';

const EDGES: Record<PayeeEdge, Partial<Record<VerificationStatus, VerificationStatus>>> = {
  verify: { unverified: 'verified' },
  reject: { unverified: 'rejected' },
  change: { unverified: 'unverified', verified: 'unverified', rejected: 'unverified' },
  stop: { unverified: 'verified', verified: 'verified', rejected: 'verified' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  VERIFICATION_STATUSES.map((from) => [edge as PayeeEdge, from] as const),
);

describe('payee state machine', () => {
  it.each(every)('the edge "%s" from %s leads where the table says, or is refused', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followPayee(from, edge)).toBe(to);
    else expect(() => followPayee(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});

const member = { kind: 'person', person: 'mia@example.com', principalId: 'm1' } as Actor;
const staff = { kind: 'staff', person: 'Olga@example.com' } as Actor;
const application = { kind: 'service' } as Actor;
const code = (name: string) => expect.objectContaining({ code: name }) as Error;

it.each([
  [member, 'mia@example.com'],
  [staff, 'Olga@example.com'],
  [application, 'application'],
])('a destination entered by %o is recorded as entered by %s', (actor, changer) => {
  expect(enteredBy(actor)).toBe(changer);
});

describe('requireSeen', () => {
  const payee = { updatedAt: '2027-01-02T00:00:00.000000Z' };

  it.each([member, staff, application])('requires the current version: %o', (actor) => {
    expect(() => requireSeen(payee, actor, payee.updatedAt)).not.toThrow();
    expect(() => requireSeen(payee, actor, '2027-01-01T00:00:00.000000Z')).toThrow(code('STALE_RESOURCE_VERSION'));
  });

  it('requires a version from members and lets others omit it', () => {
    expect(() => requireSeen(payee, member, undefined)).toThrow(code('STALE_RESOURCE_VERSION'));
    for (const actor of [staff, application]) expect(() => requireSeen(payee, actor, undefined)).not.toThrow();
  });
});

describe('a destination is verified by a second person', () => {
  const updatedAt = '2027-01-02T00:00:00.000000Z';
  const destination = 'DE02120300000000202051';
  const payee = { updatedAt, changedBy: 'olga@example.com', destination };
  const by = { person: 'paul@example.com', version: updatedAt, destination };

  it('who has seen the current version', () => {
    expect(() => requireSecondPerson(payee, by)).not.toThrow();
    expect(() => requireSecondPerson(payee, { ...by, version: 'older' })).toThrow(code('STALE_RESOURCE_VERSION'));
  });

  it('but not if it is unknown who entered it', () => {
    expect(() => requireSecondPerson({ ...payee, changedBy: null }, by)).toThrow(code('INVALID_STATE'));
  });

  it.each([
    ['olga@example.com', 'OLGA@example.com'],
    ['OLGA@example.com', 'olga@example.com'],
  ])('%s is the same person as %s, regardless of case', (changedBy, person) => {
    expect(() => requireSecondPerson({ ...payee, changedBy }, { ...by, person })).toThrow(code('INSUFFICIENT_SCOPE'));
  });
});
