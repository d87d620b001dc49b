import type { Bus } from '@payroll/commands';
import { PAYMENTS_QUESTION } from '@payroll/events';
import { startMetrics } from '@payroll/runtime';
import { type Sql, sql, write } from '@payroll/store';
import { afterAll, expect, it, vi } from 'vitest';
import { approveMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import { approveTimesheet } from '../src/commands/review-timesheet.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import { observeApprovals } from '../src/observe-approvals.js';
import { Review } from './review.js';

const review = await Review.open('review_observed');
afterAll(() => review[Symbol.asyncDispose]());

/** `exists`: whether payments has the payment. */
async function observed(exists: (paymentId: string) => boolean) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { read } = await startMetrics();
  const asked: string[] = [];
  const request = (subject: string, question: unknown): Promise<unknown> => {
    asked.push(subject);
    const { paymentIds } = PAYMENTS_QUESTION.read(question);
    return Promise.resolve({ missing: paymentIds.filter((id) => !exists(id)).length });
  };
  const observing = observeApprovals({ em: review.em, bus: { request } as unknown as Bus });
  const count = async (): Promise<string[]> => {
    // Longer than a reading is cached.
    await vi.advanceTimersByTimeAsync(5_000);
    return (await read()).match(/(?<=^payroll_approvals_without_payment )\d+$/gm) ?? [];
  };
  const end = (): void => {
    observing[Symbol.dispose]();
    vi.useRealTimers();
  };
  return { asked, count, [Symbol.dispose]: end };
}

async function submittedWeek(at: ReturnType<Review['workspace']>) {
  const contractId = await at.contract();
  const week = { contractId, periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };
  const { id, version } = await review.commands.run(submitTimesheet, week, at.application);
  return { contractId, id, version };
}

it('a scrape counts approvals older than five minutes that have no payment', async () => {
  const paid = new Set<string>();
  using observing = await observed((id) => paid.has(id));
  const { count, asked } = observing;
  const at = review.workspace();
  const { contractId, id, version } = await submittedWeek(at);
  const [milestoneId] = await at.milestonesAgreed(contractId);
  const submitted = await review.commands.run(submitMilestone, { id: milestoneId!, edge: 'submit' }, at.staff);
  const minutesLater = (minutes: number): Promise<void> =>
    review.clock.set(new Date(Date.parse(submitted.updatedAt) + minutes * 60_000));
  await minutesLater(60);
  expect(await count()).toEqual(['0']);

  const timesheet = await review.commands.run(approveTimesheet, { id, expectedVersion: version }, at.admin);
  const approval = { id: milestoneId!, expectedVersion: submitted.version };
  const milestone = await review.commands.run(approveMilestone, approval, at.admin);
  await minutesLater(64.9);
  expect(await count()).toEqual(['0']);
  await minutesLater(65.1);
  expect(await count()).toEqual(['2']);

  paid.add(timesheet.paymentId!);
  expect(await count()).toEqual(['1']);
  paid.add(milestone.paymentId!);
  expect(await count()).toEqual(['0']);

  // A payment that has begun exists, so payments is not asked about it.
  paid.clear();
  const ofTimesheet = { sourceType: 'timesheet', sourceId: id, paymentId: timesheet.paymentId! } as const;
  await at.paymentTold(at.payment(ofTimesheet, 'processing', 2));
  expect(await count()).toEqual(['1']);
  expect(new Set(asked)).toEqual(new Set([PAYMENTS_QUESTION.subject]));
});

it('a scrape covers 40,000 approvals at most, the next one the others', async () => {
  const last = 'ffffffff-0000-8000-8000-000000000000';
  using observing = await observed((id) => id !== last);
  const { count, asked } = observing;
  const at = review.workspace();
  const { id, version } = await submittedWeek(at);
  const { updatedAt } = await review.commands.run(approveTimesheet, { id, expectedVersion: version }, at.admin);
  const columns = sql`workspace_id, contract_id, revision, status, period_start, period_end, units_worked, entries,
    submitted_by, currency, rate, total, payment_scheduled_date, auto_pay_enabled, payment_status, payment_sequence,
    submitted_at, days_ahead, created_at, updated_at`;
  const copy = (count: number, paymentId: Sql) =>
    write(
      review.em,
      sql`insert into timesheet (id, payment_id, ${columns}) select gen_random_uuid(), ${paymentId}, ${columns}
        from timesheet, generate_series(1, ${count}::int) where id = ${id}`,
    );
  // In parts: a statement has three seconds.
  const before = sql`overlay(gen_random_uuid()::text placing '0' from 1)::uuid`;
  for (let n = 0; n < 20; n++) await copy(2_000, before);
  await copy(1, sql`${last}::uuid`);
  await review.clock.set(new Date(Date.parse(updatedAt) + 6 * 60_000));
  expect([await count(), asked.length]).toEqual([['0'], 20]);
  expect([await count(), asked.length]).toEqual([['1'], 21]);
  // The count of a sweep holds until the next one ends.
  expect([await count(), asked.length]).toEqual([['1'], 41]);
});
