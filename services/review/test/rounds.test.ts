import { analyzeDatabase, mostRowsRead, recordReads } from '@payroll/tools/local/read-rows';
import { moveCalendarInSandbox } from '@payroll/service';
import { sql, write } from '@payroll/store';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { runAutoApproval } from '../src/runners.js';
import { Review } from './review.js';

const review = await Review.open('review_rounds');
afterAll(() => review[Symbol.asyncDispose]());

describe('a round of approvals', () => {
  const MANY = 4_000;
  /** Submits work from now on, one minute apart, to be approved after this number of days. */
  const fill = (workspaceId: string, change: { approveInDays: number; aheadAtSubmission?: number }) =>
    write(
      review.em,
      sql`insert into timesheet (workspace_id, id, contract_id, revision, status, period_start, period_end, units_worked,
          currency, rate, total, payment_scheduled_date, auto_pay_enabled, payment_sequence, submitted_at, days_ahead,
          approve_at, created_at, updated_at)
        select ${workspaceId}, gen_random_uuid(), gen_random_uuid(), 1, 'submitted', '2027-03-01', '2027-03-01', 8,
          'EUR', 50, 400, '2027-03-15', true, 0, now(), ${change.aheadAtSubmission ?? 0},
          clock_timestamp() + ${change.approveInDays} * interval '1 day' + n * interval '1 minute', now(), now()
        from generate_series(1, ${MANY}) n`,
    );

  it('reads few rows if a workspace is thousands of days ahead and has thousands of timesheets', async () => {
    const [ahead, other] = [review.workspace(), review.workspace()];
    await review.commands.run(moveCalendarInSandbox.in('test'), { daysAhead: 3_650 }, ahead.people.admin);
    await fill(other.id, { approveInDays: 1 });
    // Submitted after the calendar was moved: due no sooner than in other workspaces.
    await fill(ahead.id, { approveInDays: 1, aheadAtSubmission: 3_650 });
    await analyzeDatabase(inject('backends'), 'review_rounds');
    const { em, reads } = recordReads(review.em);
    await runAutoApproval({ ...review.parts, em });
    expect(reads).not.toEqual([]);
    for (const each of reads) expect(await mostRowsRead(review.em, each)).toBeLessThan(MANY / 10);
    expect(await other.rows('timesheet')).toHaveLength(MANY);
  });
});
