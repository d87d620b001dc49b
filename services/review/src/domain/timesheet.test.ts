import { TIMESHEET_STATUSES, type TimesheetStatus } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
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

  it('pays hours and minutes to the cent', () => {
    const totalOf = (rate: string, unitsWorked: string) =>
      calculate({ ...terms, rate }, { ...work, unitsWorked })?.total;
    expect([totalOf('61.37', '7.33333334'), totalOf('61.35', '0.83333334')]).toEqual(['450.05', '51.13']);
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
