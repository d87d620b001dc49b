import { newId, SCOPES, type Actor } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { decideInstruction, personOfFinance, statusAt, WRITTEN_STATUSES } from './instruction.js';

const NOW = '2027-06-01T12:00:00.000000Z';
const requested = {
  status: 'requested',
  expiresAt: '2027-06-01T12:00:00.000001Z',
  requestedBy: 'fay@example.com',
} as const;

describe('an instruction', () => {
  it.each([
    ['countersign', 'finn@example.com', 'countersigned'],
    ['decline', 'finn@example.com', 'declined'],
    ['withdraw', 'fay@example.com', 'withdrawn'],
  ] as const)('%s by %s makes it %s', (edge, person, status) => {
    expect(decideInstruction(requested, edge, person, NOW)).toBe(status);
  });

  it.each([
    ['countersign', 'fay@example.com', 'a second person'],
    ['decline', 'fay@example.com', 'a second person'],
    ['withdraw', 'finn@example.com', 'Only the person who requested it'],
  ] as const)('%s by %s is refused', (edge, person, sentence) => {
    const decide = () => decideInstruction(requested, edge, person, NOW);
    expect(decide).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
    expect(decide).toThrow(sentence);
  });

  it('an instruction is decided once', () => {
    for (const status of WRITTEN_STATUSES.filter((each) => each !== 'requested')) {
      for (const edge of ['countersign', 'decline', 'withdraw'] as const) {
        const decide = () => decideInstruction({ ...requested, status }, edge, 'finn@example.com', NOW);
        expect(decide).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
      }
    }
  });

  it('an undecided instruction expires, to the microsecond', () => {
    const over = { ...requested, expiresAt: NOW };
    expect(statusAt(requested, NOW)).toBe('requested');
    expect(statusAt(over, NOW)).toBe('expired');
    expect(statusAt({ ...over, status: 'countersigned' }, NOW)).toBe('countersigned');
    expect(() => decideInstruction(over, 'countersign', 'finn@example.com', NOW)).toThrow('request it again');
  });
});

it('only people of finance move money, not other teams or machines', () => {
  const rights = { principalId: newId(), workspaceId: newId(), role: null, scopes: SCOPES };
  const staff = { ...rights, kind: 'staff', person: 'fay@example.com' } as const;
  expect(personOfFinance({ ...staff, team: 'finance' })).toBe('fay@example.com');
  const others: Actor[] = [
    { ...staff, team: 'operations' },
    { ...rights, kind: 'service' },
    { ...rights, kind: 'system' },
    { ...rights, kind: 'api_key', role: 'admin' },
  ];
  for (const actor of others) {
    expect(() => personOfFinance(actor)).toThrow(expect.objectContaining({ code: 'INSUFFICIENT_SCOPE' }));
  }
});
