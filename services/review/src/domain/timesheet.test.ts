import { describe, expect, it } from 'vitest';
import { requireOpenForWork, type ContractTerms } from './contract-terms.js';
import {
  followTimesheet,
  reckon,
  sameReckoning,
  TIMESHEET_STATUSES,
  type TimesheetEdge,
  type TimesheetStatus,
} from './timesheet.js';
import { requireVersion, versionOf } from './version.js';

const terms: ContractTerms = {
  contractId: 'c',
  status: 'active',
  currency: 'EUR',
  rate: '85.5',
  paymentDueDays: 14,
  autoPayEnabled: true,
  timesheetApprovalRequired: true,
  autoApproveAfterDays: null,
  deleted: false,
};

const EDGES: Record<TimesheetEdge, Partial<Record<TimesheetStatus, TimesheetStatus>>> = {
  approve: { submitted: 'approved' },
  reject: { submitted: 'rejected' },
  resubmit: { rejected: 'submitted' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  TIMESHEET_STATUSES.map((from) => [edge as TimesheetEdge, from] as const),
);

describe('the review of a timesheet', () => {
  it.each(every)('%s from %s', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followTimesheet(from, edge)).toBe(to);
    else expect(() => followTimesheet(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });

  it('reckons rate × units, due days after the period ends', () => {
    expect(reckon(terms, '37.75', '2027-01-31')).toEqual({
      rate: '85.50',
      currency: 'EUR',
      total: '3227.62',
      paymentScheduledDate: '2027-02-14',
      autoPayEnabled: true,
    });
  });

  it('sees every change of terms that a reviewer would', () => {
    const before = reckon(terms, '10', '2027-01-31');
    for (const change of [{ rate: '90' }, { currency: 'USD' }, { paymentDueDays: 7 }, { autoPayEnabled: false }]) {
      expect(sameReckoning(before, reckon({ ...terms, ...change }, '10', '2027-01-31'))).toBe(false);
    }
    expect(sameReckoning(before, reckon({ ...terms, autoApproveAfterDays: 3 }, '10', '2027-01-31'))).toBe(true);
  });

  it('takes no work for unknown, deleted, inactive or rateless contracts', () => {
    expect(() => requireOpenForWork(null)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    expect(() => requireOpenForWork({ ...terms, deleted: true })).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
    for (const status of ['draft', 'signed', 'completed', 'cancelled']) {
      expect(() => requireOpenForWork({ ...terms, status })).toThrow(
        expect.objectContaining({ code: 'INVALID_STATE' }),
      );
    }
    expect(() => reckon({ ...terms, rate: null }, '1', '2027-01-31')).toThrow('no rate');
  });
});

describe('a version', () => {
  const id = '018f0000-0000-7000-8000-000000000001';

  it('differs for every revision and every resource, and fits the contract', () => {
    expect(versionOf(id, 1)).not.toBe(versionOf(id, 2));
    expect(versionOf(id, 1)).not.toBe(versionOf(id.replace(/1$/, '2'), 1));
    expect(versionOf(id, 1)).toMatch(/^[\w-]{1,128}$/);
  });

  it('that is not the current one is stale', () => {
    expect(() => requireVersion({ id, revision: 2 }, versionOf(id, 2))).not.toThrow();
    expect(() => requireVersion({ id, revision: 2 }, versionOf(id, 1))).toThrow(
      expect.objectContaining({ code: 'STALE_RESOURCE_VERSION' }),
    );
  });
});
