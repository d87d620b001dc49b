import { addDays, dayOf, instantOf } from '@payroll/kernel';
import { createLog } from '@payroll/process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { approveTimesheet } from '../src/commands/approve-timesheet.js';
import { rejectTimesheet } from '../src/commands/reject-timesheet.js';
import { resubmitTimesheet } from '../src/commands/resubmit-timesheet.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Timesheet } from '../src/domain/timesheet.js';
import { approveByRules, startApprovingByRules } from '../src/runners/approve-by-rules.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

let review: Review;
beforeAll(async () => {
  review = await Review.open('review_rules');
});
afterAll(() => review[Symbol.asyncDispose]());

const submit = (at: Workspace, contractId: string, day = '2027-03-01'): Promise<Timesheet> =>
  review.commands.run(submitTimesheet, { contractId, periodStart: day, periodEnd: day, unitsWorked: '8' }, at.staff);

/** The submission's time of day, some days later. */
const later = ({ submittedAt }: Timesheet, days: number): string =>
  `${addDays(dayOf(submittedAt), days)}${submittedAt.slice(10)}`;

async function statusOf(at: Workspace): Promise<string[]> {
  return (await at.rows<{ status: string; created_at: string }>('timesheet'))
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    .map(({ status }) => status);
}

const run = (now: string): Promise<void> => approveByRules(review.parts, now);

describe('autoApproveAfterDays', () => {
  it('approves on the day, not before, as the system, with the rule in the audit trail', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract({ autoApproveAfterDays: 3 }));
    const due = later(submitted, 3);
    await run(instantOf(new Date(Date.parse(due) - 1)));
    expect(await statusOf(at)).toEqual(['submitted']);
    await run(due);
    expect(await at.rows('timesheet')).toMatchObject([{ status: 'approved', approve_at: null }]);
    const [, approval] = await at.audit();
    expect(approval).toMatchObject({
      action: 'timesheet.approved',
      actor_kind: 'system',
      via: 'runner',
      subject_id: submitted.id,
      change: { total: '400.00', rule: { name: 'autoApproveAfterDays', value: 3 } },
    });
    expect(await at.rows('outbox_event')).toMatchObject([{ type: 'timesheet.approved' }]);
  });

  it('counts from the last submission', async () => {
    const at = review.workspace();
    const first = await submit(at, await at.contract({ autoApproveAfterDays: 3 }));
    const reason = { id: first.id, expectedVersion: first.version, reason: 'Wrong day' };
    await review.commands.run(rejectTimesheet, reason, at.admin);
    await run(later(first, 10));
    expect(await statusOf(at)).toEqual(['rejected']);
    // Not merely refused: it is not due any more.
    expect(await at.rows('timesheet')).toMatchObject([{ approve_at: null }]);
    const again = await review.commands.run(resubmitTimesheet, { id: first.id }, at.staff);
    await run(later(first, 3));
    expect(await statusOf(at)).toEqual(['submitted']);
    await run(later(again, 3));
    expect(await statusOf(at)).toEqual(['approved']);
  });

  it('follows the terms: the newest rule decides over what waits', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: null });
    await run(later(submitted, 30));
    expect(await statusOf(at)).toEqual(['submitted']);
    await at.termsChanged({ contractId, revision: 3, autoApproveAfterDays: 30 });
    await run(later(submitted, 30));
    expect(await statusOf(at)).toEqual(['approved']);
  });

  it('that ended after the work was listed is not applied to it', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const { id, version, ...submitted } = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: 4 });
    const listed = { id, expectedVersion: version, ruleDueBy: later({ id, version, ...submitted }, 3) };
    await expect(review.commands.run(approveTimesheet, listed, at.staff)).rejects.toEqual(
      expect.objectContaining({ code: 'INVALID_STATE' }),
    );
  });

  it('approves nothing under a cancelled contract: that is left to people', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: 3, status: 'cancelled' });
    await run(later(submitted, 30));
    expect(await statusOf(at)).toEqual(['submitted']);
  });

  it('leaves to a person what a person has decided, however close', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 1 });
    for (let day = 10; day < 20; day++) {
      const submitted = await submit(at, contractId, `2027-03-${day}`);
      const reason = { id: submitted.id, expectedVersion: submitted.version, reason: 'No' };
      await Promise.allSettled([run(later(submitted, 1)), review.commands.run(rejectTimesheet, reason, at.admin)]);
    }
    const rows = await at.rows<{ status: string; payment_id: string | null }>('timesheet');
    for (const { status, payment_id } of rows) expect(status === 'approved').toBe(payment_id !== null);
    const approvals = rows.filter(({ status }) => status === 'approved').length;
    expect(await at.rows('outbox_event')).toHaveLength(approvals);
  });
});

describe('timesheetApprovalRequired: false', () => {
  it('approves what is submitted, as the system', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract({ timesheetApprovalRequired: false }));
    expect(submitted.status).toBe('submitted');
    await run(submitted.submittedAt);
    expect(await statusOf(at)).toEqual(['approved']);
    expect((await at.audit()).at(-1)).toMatchObject({
      actor_kind: 'system',
      change: { rule: { name: 'timesheetApprovalRequired', value: false } },
    });
  });

  it('holds from the change of terms on also for what waits', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, timesheetApprovalRequired: false });
    await run(submitted.submittedAt);
    expect(await statusOf(at)).toEqual(['approved']);
  });
});

describe('the runner', () => {
  beforeEach(async () => {
    await run('2099-01-01T00:00:00.000000Z');
  });

  it('of several processes at once approves everything once, of many workspaces', async () => {
    const places = [review.workspace(), review.workspace(), review.workspace()];
    for (const at of places) {
      const contractId = await at.contract({ timesheetApprovalRequired: false });
      for (let day = 10; day < 20; day++) await submit(at, contractId, `2027-03-${day}`);
    }
    const now = instantOf(new Date(Date.now() + 60_000));
    await Promise.all([run(now), run(now), run(now)]);
    for (const at of places) {
      expect(await statusOf(at)).toEqual(Array(10).fill('approved'));
      expect(await at.rows('outbox_event')).toHaveLength(10);
    }
  });

  it('goes on after what cannot be approved', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ timesheetApprovalRequired: false });
    const [bad] = [await submit(at, contractId), await submit(at, contractId, '2027-03-02')];
    const warn = vi.fn<(details: object, message: string) => void>();
    const log = Object.assign(createLog('review', 'silent'), { warn });
    const commands = Object.create(review.commands) as typeof review.commands;
    commands.run = (command, input, origin, operationId) =>
      (input as { id: string }).id === bad.id
        ? Promise.reject(new TypeError('a bug'))
        : review.commands.run(command, input, origin, operationId);
    await approveByRules({ em: review.em, commands, log }, instantOf(new Date(Date.now() + 60_000)));
    expect(await statusOf(at)).toEqual(['submitted', 'approved']);
    expect(warn).toHaveBeenCalledOnce();
  });

  describe('by its clock', () => {
    let clock = new Date('2027-01-01T00:00:00Z');
    let runner: AsyncDisposable | undefined;
    afterEach(async () => await runner?.[Symbol.asyncDispose]());

    it('approves when the day has come', async () => {
      const at = review.workspace();
      const submitted = await submit(at, await at.contract({ autoApproveAfterDays: 7 }));
      clock = new Date(submitted.submittedAt);
      let rounds = 0;
      runner = startApprovingByRules(review.parts, () => {
        rounds += 1;
        return clock;
      });
      await expect.poll(() => rounds, { timeout: 5_000 }).toBeGreaterThan(1);
      expect(await statusOf(at)).toEqual(['submitted']);
      clock = new Date(Date.parse(submitted.submittedAt) + 7 * 86_400_000 + 1);
      await expect.poll(() => statusOf(at), { timeout: 5_000 }).toEqual(['approved']);
    });
  });
});
