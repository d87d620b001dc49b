import { describe, expect, it } from 'vitest';
import { autoApprovalOf, requireNotEnded, requireOpenForWork } from './contract-terms.js';
import { CONTRACT_TERMS as terms } from '../../test/contract-terms.js';

const NOT_FOUND: unknown = expect.objectContaining({ code: 'NOT_FOUND' });
const INVALID_STATE: unknown = expect.objectContaining({ code: 'INVALID_STATE' });

describe('work under a contract', () => {
  it.each([
    ['draft', false, true],
    ['pending_verification', false, true],
    ['ready_for_signature', false, true],
    ['pending_signature', false, true],
    ['signed', false, true],
    ['active', true, true],
    ['offboarding', true, true],
    ['completed', false, false],
    ['cancelled', false, false],
  ])('that is %s: submission allowed %s, milestone changes allowed %s', (status, open, changing) => {
    const contract = { ...terms, status };
    if (open) expect(requireOpenForWork(contract)).toBe(contract);
    else expect(() => requireOpenForWork(contract)).toThrow(INVALID_STATE);
    if (changing) expect(() => requireNotEnded(contract)).not.toThrow();
    else expect(() => requireNotEnded(contract)).toThrow(INVALID_STATE);
  });

  it('a deleted or unknown contract is not found', () => {
    expect(() => requireOpenForWork(null)).toThrow(NOT_FOUND);
    const deleted = { ...terms, deleted: true };
    expect(() => requireOpenForWork(deleted)).toThrow(NOT_FOUND);
    expect(() => requireNotEnded(deleted)).toThrow(NOT_FOUND);
  });
});

const submittedAt = '2027-02-27T22:30:00.000001Z';
const withoutApproval = { ...terms, timesheetApprovalRequired: false };

it.each([
  ['that require a person', terms, null],
  [
    'that require no approval',
    withoutApproval,
    { rule: { name: 'timesheetApprovalRequired', value: false }, at: submittedAt },
  ],
  [
    'with autoApproveAfterDays',
    { ...terms, autoApproveAfterDays: 2 },
    { rule: { name: 'autoApproveAfterDays', value: 2 }, at: '2027-03-01T22:30:00.000001Z' },
  ],
  [
    'with both rules: requiring no approval takes precedence',
    { ...withoutApproval, autoApproveAfterDays: 2 },
    { rule: { name: 'timesheetApprovalRequired', value: false }, at: submittedAt },
  ],
  ['that approve after millions of years', { ...terms, autoApproveAfterDays: 2_000_000_000 }, null],
  ['that approve after a hundred years and a day', { ...terms, autoApproveAfterDays: 36_526 }, null],
  [
    'that approve after a hundred years',
    { ...terms, autoApproveAfterDays: 36_525 },
    { rule: { name: 'autoApproveAfterDays', value: 36_525 }, at: '2127-02-28T22:30:00.000001Z' },
  ],
  ['of a cancelled contract', { ...withoutApproval, status: 'cancelled' }, null],
  ['of a deleted contract', { ...withoutApproval, deleted: true }, null],
  [
    'of a completed contract, whose last work is still paid',
    { ...withoutApproval, status: 'completed' },
    { rule: { name: 'timesheetApprovalRequired', value: false }, at: submittedAt },
  ],
])('autoApprovalOf terms %s', (_, of, expected) => {
  expect(autoApprovalOf(of, submittedAt)).toEqual(expected);
});
