import { createLog } from '@payroll/runtime';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { approveTimesheet, rejectTimesheet } from '../src/commands/review-timesheet.js';
import { resubmitTimesheet, submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Timesheet } from '../src/store/views.js';
import { runAutoApproval, startAutoApproval } from '../src/runners.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_rules');
afterAll(() => review[Symbol.asyncDispose]());

const submit = (at: Workspace, contractId: string, day = '2027-03-01'): Promise<Timesheet> =>
  review.commands.run(
    submitTimesheet,
    { contractId, periodStart: day, periodEnd: day, unitsWorked: '8' },
    at.application,
  );

const DAY_MS = 86_400_000;

/** Runs one round as if this number of 24-hour days had passed since the submission, by Postgres' clock. */
async function runAfter({ submittedAt }: Timesheet, days: number): Promise<void> {
  await review.clock.set(new Date(Date.parse(submittedAt) + days * DAY_MS + 1));
  await run();
}

async function statusOf(at: Workspace): Promise<string[]> {
  return (await at.rows<{ status: string; created_at: string }>('timesheet'))
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    .map(({ status }) => status);
}

const run = (): Promise<void> => runAutoApproval(review.parts);

describe('autoApproveAfterDays', () => {
  it('approves on the day and not before, as the system, and audits the rule', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract({ autoApproveAfterDays: 3 }));
    await runAfter(submitted, 2.99);
    expect(await statusOf(at)).toEqual(['submitted']);
    await runAfter(submitted, 3);
    expect(await at.rows('timesheet')).toMatchObject([{ status: 'approved', approve_at: null }]);
    const [, approval] = await at.audit();
    expect(approval).toMatchObject({
      action: 'timesheet.approved',
      actor_kind: 'system',
      via: 'runner',
      subject_id: submitted.id,
      change: { total: '400.00', rule: { name: 'autoApproveAfterDays', value: 3 } },
    });
    expect(await at.eventsForPayments()).toMatchObject([{ type: 'timesheet.approved' }]);
  });

  it('counts the days from the last submission', async () => {
    const at = review.workspace();
    const first = await submit(at, await at.contract({ autoApproveAfterDays: 3 }));
    const reason = { id: first.id, expectedVersion: first.version, reason: 'Wrong day' };
    await review.commands.run(rejectTimesheet, reason, at.admin);
    await runAfter(first, 10);
    expect(await statusOf(at)).toEqual(['rejected']);
    // Not only refused: it is no longer due.
    expect(await at.rows('timesheet')).toMatchObject([{ approve_at: null }]);
    const again = await review.commands.run(resubmitTimesheet, { id: first.id }, at.application);
    await runAfter(first, 12.99);
    expect(await statusOf(at)).toEqual(['submitted']);
    await runAfter(again, 3);
    expect(await statusOf(at)).toEqual(['approved']);
  });

  it('uses the newest terms for work already submitted', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: null });
    await runAfter(submitted, 30);
    expect(await statusOf(at)).toEqual(['submitted']);
    await at.termsChanged({ contractId, revision: 3, autoApproveAfterDays: 30 });
    await runAfter(submitted, 30);
    expect(await statusOf(at)).toEqual(['approved']);
  });

  it('a rule removed after the work was listed does not approve it', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: 4 });
    await review.clock.set(new Date(Date.parse(submitted.submittedAt) + 3 * DAY_MS + 1));
    const listed = { id: submitted.id, expectedVersion: submitted.version, byRule: { daysAhead: 0 } };
    await expect(review.commands.run(approveTimesheet, listed, at.staff)).rejects.toEqual(
      expect.objectContaining({ code: 'INVALID_STATE' }),
    );
  });

  it('approves nothing under a cancelled contract; a person decides', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 3 });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoApproveAfterDays: 3, status: 'cancelled' });
    await runAfter(submitted, 30);
    expect(await statusOf(at)).toEqual(['submitted']);
  });

  it('does not approve work that a person has just decided', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoApproveAfterDays: 1 });
    for (let day = 10; day < 20; day++) {
      const submitted = await submit(at, contractId, `2027-03-${day}`);
      const reason = { id: submitted.id, expectedVersion: submitted.version, reason: 'No' };
      await Promise.allSettled([runAfter(submitted, 1), review.commands.run(rejectTimesheet, reason, at.admin)]);
    }
    const rows = await at.rows<{ status: string; payment_id: string | null }>('timesheet');
    for (const { status, payment_id } of rows) expect(status === 'approved').toBe(payment_id !== null);
    const approvals = rows.filter(({ status }) => status === 'approved').length;
    expect(await at.eventsForPayments()).toHaveLength(approvals);
  });
});

it('work that cannot be approved is deferred with the reason, and approved once it can be', async () => {
  const at = review.workspace();
  const { id } = await submit(at, await at.contract({ timesheetApprovalRequired: false }));
  const set = (statement: ReturnType<typeof sql>) => statement.execute(review.em.getKysely());
  await set(sql`update timesheet set total = 10.005 where id = ${id}`);
  await run();
  expect(await at.rows('deferred_work')).toMatchObject([
    { runner: 'approve-by-rules', id, tries: 1, reason: expect.stringContaining('at most 2 digits') },
  ]);
  await set(sql`update timesheet set total = 10 where id = ${id}`);
  await set(sql`update deferred_work set retry_at = 'infinity' where id = ${id}`);
  await run();
  expect(await statusOf(at)).toEqual(['submitted']);
  await set(sql`update deferred_work set retry_at = '-infinity' where id = ${id}`);
  await run();
  expect(await statusOf(at)).toEqual(['approved']);
});

describe('timesheetApprovalRequired: false', () => {
  it('approves submitted work, as the system', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract({ timesheetApprovalRequired: false }));
    expect(submitted.status).toBe('submitted');
    await run();
    expect(await statusOf(at)).toEqual(['approved']);
    expect((await at.audit()).at(-1)).toMatchObject({
      actor_kind: 'system',
      change: { rule: { name: 'timesheetApprovalRequired', value: false } },
    });
  });

  it('approves work that was submitted before the change of terms', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, timesheetApprovalRequired: false });
    await run();
    expect(await statusOf(at)).toEqual(['approved']);
  });
});

describe('approval in several processes', () => {
  beforeEach(async () => {
    await review.clock.pass(100 * DAY_MS);
    await run();
  });

  it('approves everything once, in many workspaces', async () => {
    const places = [review.workspace(), review.workspace(), review.workspace()];
    for (const at of places) {
      const contractId = await at.contract({ timesheetApprovalRequired: false });
      for (let day = 10; day < 20; day++) await submit(at, contractId, `2027-03-${day}`);
    }
    await Promise.all([run(), run(), run()]);
    for (const at of places) {
      expect(await statusOf(at)).toEqual(Array(10).fill('approved'));
      expect(await at.eventsForPayments()).toHaveLength(10);
    }
  });

  it('continues after work that cannot be approved', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ timesheetApprovalRequired: false });
    const [bad] = [await submit(at, contractId), await submit(at, contractId, '2027-03-02')];
    const warn = vi.fn<(details: object, message: string) => void>();
    const log = Object.assign(createLog('review', 'silent'), { warn });
    const commands = Object.create(review.commands) as typeof review.commands;
    commands.run = (command, input, origin) =>
      (input as { id: string }).id === bad.id
        ? Promise.reject(new TypeError('a bug'))
        : review.commands.run(command, input, origin);
    await runAutoApproval({ ...review.parts, commands, log });
    expect(await statusOf(at)).toEqual(['submitted', 'approved']);
    expect(warn).toHaveBeenCalledOnce();
  });

  describe("with the database's clock", () => {
    let runner: AsyncDisposable | undefined;
    afterEach(async () => {
      vi.useRealTimers();
      await runner?.[Symbol.asyncDispose]();
    });

    it('approves when the day has come', async () => {
      const at = review.workspace();
      await submit(at, await at.contract({ autoApproveAfterDays: 7 }));
      const canary = review.workspace();
      runner = startAutoApproval(review.parts);
      await submit(canary, await canary.contract({ timesheetApprovalRequired: false }));
      await expect.poll(() => statusOf(canary), { timeout: 5_000 }).toEqual(['approved']);
      expect(await statusOf(at)).toEqual(['submitted']);
      await review.clock.pass(7 * DAY_MS);
      await expect.poll(() => statusOf(at), { timeout: 5_000 }).toEqual(['approved']);
    });

    it('approves nothing early in a process whose own clock is 90 days ahead', async () => {
      const at = review.workspace();
      const submitted = await submit(at, await at.contract({ autoApproveAfterDays: 30 }));
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(submitted.submittedAt) + 90 * DAY_MS });
      await run();
      // As if it had been listed anyway.
      const listed = { id: submitted.id, expectedVersion: submitted.version, byRule: { daysAhead: 0 } };
      await expect(review.commands.run(approveTimesheet, listed, at.staff)).rejects.toMatchObject({
        code: 'INVALID_STATE',
      });
      expect(await statusOf(at)).toEqual(['submitted']);
    });
  });
});
