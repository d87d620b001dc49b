import { TIMESHEET_STATUSES, type TimesheetStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { requireNotEnded, requireOpenForWork } from './contract-terms.js';
import { CONTRACT_TERMS as terms } from '../../test/contract-terms.js';
import {
  correctWork,
  followTimesheet,
  calculate,
  requirePeriodOfWork,
  requireAmounts,
  sameAmounts,
  type TimesheetEdge,
} from './timesheet.js';
import { readReason, requireVersion, versionOf } from './work.js';

const work = { periodStart: '2027-01-25', periodEnd: '2027-01-31', unitsWorked: '10' };

const EDGES: Record<TimesheetEdge, Partial<Record<TimesheetStatus, TimesheetStatus>>> = {
  approve: { submitted: 'approved' },
  reject: { submitted: 'rejected' },
  resubmit: { rejected: 'submitted' },
  correct: { submitted: 'submitted', rejected: 'submitted' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  TIMESHEET_STATUSES.map((from) => [edge as TimesheetEdge, from] as const),
);

describe('the review of a timesheet', () => {
  it.each(every)('the edge "%s" from %s leads where the table says, or is refused', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followTimesheet(from, edge)).toBe(to);
    else expect(() => followTimesheet(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });

  it('calculates rate × units, paid the due days after the period ends', () => {
    expect(calculate(terms, { ...work, unitsWorked: '37.75' })).toEqual({
      rate: '85.50',
      currency: 'EUR',
      total: '3227.62',
      paymentScheduledDate: '2027-02-14',
      autoPayEnabled: true,
    });
  });

  it.each([
    ['the rate', { rate: '90' }, false],
    ['the currency', { currency: 'USD' }, false],
    ['the due days', { paymentDueDays: 7 }, false],
    ['auto-pay', { autoPayEnabled: false }, false],
    ['the auto-approval term', { autoApproveAfterDays: 3 }, true],
  ])('sameAmounts compares what a reviewer sees: a change of %s', (_, change, same) => {
    const before = requireAmounts(terms, work);
    expect(sameAmounts(before, requireAmounts({ ...terms, ...change }, work))).toBe(same);
  });

  it.each([
    ['no rate', { rate: null }],
    ['a total that rounds to zero', { rate: '0.0001' }],
    ['a total of more than 40 characters', { rate: '9'.repeat(37) }],
    ['a payment date after the last day of the calendar', { paymentDueDays: 3_000_000 }],
    ['a payment date beyond the range of Date', { paymentDueDays: 2_000_000_000 }],
  ])('calculates no total from %s', (_, change) => {
    expect(calculate({ ...terms, ...change }, work)).toBeNull();
    expect(() => requireAmounts({ ...terms, ...change }, work)).toThrow(
      expect.objectContaining({ code: 'INVALID_STATE' }),
    );
  });
});

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

describe('the version of a piece of work', () => {
  const id = '018f0000-0000-7000-8000-000000000001';

  it('differs for every revision and resource, and matches the public format', () => {
    expect(versionOf(id, 1)).not.toBe(versionOf(id, 2));
    expect(versionOf(id, 1)).not.toBe(versionOf(id.replace(/1$/, '2'), 1));
    expect(versionOf(id, 1)).toMatch(/^[\w-]{1,128}$/);
  });

  it('an outdated version is refused as stale', () => {
    expect(() => requireVersion({ id, revision: 2 }, versionOf(id, 2))).not.toThrow();
    expect(() => requireVersion({ id, revision: 2 }, versionOf(id, 1))).toThrow(
      expect.objectContaining({ code: 'STALE_RESOURCE_VERSION' }),
    );
  });
});

describe('a period of work', () => {
  const refusalOf = (changed: object): unknown => {
    try {
      requirePeriodOfWork({ ...work, ...changed });
      return undefined;
    } catch (error) {
      return (error as { details: unknown }).details;
    }
  };

  it('must not end before it starts, and needs units above zero', () => {
    expect(refusalOf({})).toBeUndefined();
    expect(refusalOf({ periodEnd: work.periodStart })).toBeUndefined();
    expect(refusalOf({ periodEnd: '2027-01-24' })).toEqual([{ path: 'periodEnd', code: 'before_start' }]);
    for (const unitsWorked of ['0', '0.00', '-1', 'ten']) {
      expect(refusalOf({ unitsWorked })).toEqual([{ path: 'unitsWorked', code: 'not_positive' }]);
    }
  });

  it('a correction replaces only the fields it gives', () => {
    const other = { periodStart: '2027-02-01', periodEnd: '2027-02-07', unitsWorked: '9' };
    expect(correctWork(work, other)).toEqual(other);
    expect(correctWork(work, {})).toEqual(work);
    expect(correctWork(work, { periodStart: null, periodEnd: undefined, unitsWorked: null })).toEqual(work);
  });
});

it('a reason is trimmed and must not be empty', () => {
  expect(readReason('  Wrong day ')).toBe('Wrong day');
  expect(readReason(` ${'x'.repeat(2_000)} `)).toHaveLength(2_000);
  for (const reason of ['', '  ', 'x'.repeat(2_001)]) {
    expect(() => readReason(reason)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  }
});
