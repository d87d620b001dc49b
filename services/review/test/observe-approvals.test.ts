import type { Bus } from '@payroll/commands';
import { PAYMENTS_QUESTION, readPaymentsQuestion } from '@payroll/events';
import { startMetrics } from '@payroll/runtime';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { approveMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import { approveTimesheet } from '../src/commands/review-timesheet.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import { observeApprovals } from '../src/observe-approvals.js';
import { Review } from './review.js';

let review: Review;
beforeAll(async () => {
  review = await Review.open('review_observed');
});
afterAll(() => review[Symbol.asyncDispose]());

it('a scrape counts approvals older than five minutes that have no payment', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { read } = await startMetrics();
  const paid = new Set<string>();
  const asked: unknown[] = [];
  const request = (subject: string, question: unknown): Promise<unknown> => {
    asked.push(subject);
    const { paymentIds } = readPaymentsQuestion(question);
    return Promise.resolve({ missing: paymentIds.filter((id) => !paid.has(id)).length });
  };
  using _approvals = observeApprovals({ em: review.em, bus: { request } as unknown as Bus });
  const count = async (): Promise<string[]> => {
    // Longer than a reading is cached.
    await vi.advanceTimersByTimeAsync(5_000);
    return (await read()).match(/(?<=^payroll_approvals_without_payment )\d+$/gm) ?? [];
  };
  const at = review.workspace();
  const contractId = await at.contract();
  const week = { contractId, periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };
  const { id, version } = await review.commands.run(submitTimesheet, week, at.staff);
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
  expect(new Set(asked)).toEqual(new Set([PAYMENTS_QUESTION]));
  vi.useRealTimers();
});
