import { afterAll, describe, expect, it } from 'vitest';
import { approveTimesheet, rejectTimesheet } from '../src/commands/review-timesheet.js';
import { resubmitTimesheet, type ResubmitTimesheet, submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Timesheet } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_periods');
afterAll(() => review[Symbol.asyncDispose]());

const week = { periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };
const refused = (code: string): unknown => expect.objectContaining({ code });

const submit = (at: Workspace, contractId: string, work: Partial<typeof week> = {}): Promise<Timesheet> =>
  review.commands.run(submitTimesheet, { contractId, ...week, ...work }, at.application);
const approve = (at: Workspace, { id, version }: Timesheet): Promise<Timesheet> =>
  review.commands.run(approveTimesheet, { id, expectedVersion: version }, at.admin);
const reject = (at: Workspace, { id, version }: Timesheet, reason = 'Too many hours'): Promise<Timesheet> =>
  review.commands.run(rejectTimesheet, { id, expectedVersion: version, reason }, at.admin);
const resubmit = (at: Workspace, input: ResubmitTimesheet): Promise<Timesheet> =>
  review.commands.run(resubmitTimesheet, input, at.application);

describe('timesheet periods under one contract', () => {
  it.each([
    ['the same', '2027-03-01', '2027-03-07'],
    ['one that starts on the last day', '2027-03-07', '2027-03-14'],
    ['one that ends on the first day', '2027-02-22', '2027-03-01'],
    ['one within', '2027-03-03', '2027-03-03'],
    ['one around', '2027-02-01', '2027-03-31'],
  ])('an overlapping period is refused: %s', async (_, periodStart, periodEnd) => {
    const at = review.workspace();
    const contractId = await at.contract();
    const first = await submit(at, contractId);
    await expect(submit(at, contractId, { periodStart, periodEnd })).rejects.toEqual(
      expect.objectContaining({ details: [{ path: 'periodStart', code: 'overlaps' }] }),
    );
    await approve(at, first);
    await expect(submit(at, contractId, { periodStart, periodEnd })).rejects.toEqual(refused('VALIDATION_FAILED'));
  });

  it('may be adjacent, and may overlap under another contract or in another workspace', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    await submit(at, contractId);
    await submit(at, contractId, { periodStart: '2027-03-08', periodEnd: '2027-03-14' });
    await submit(at, await at.contract());
    const other = review.workspace();
    await other.termsChanged({ contractId });
    await submit(other, contractId);
  });

  it('rejection frees the period; resubmission fails if it has been taken', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const first = await reject(at, await submit(at, contractId));
    await submit(at, contractId);
    await expect(resubmit(at, { id: first.id })).rejects.toEqual(refused('VALIDATION_FAILED'));
    await resubmit(at, { id: first.id, periodStart: '2027-03-08', periodEnd: '2027-03-08' });
  });

  it('cancelling the payment frees the period, a failed payment does not', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const { id, paymentId } = await approve(at, await submit(at, contractId));
    const source = { sourceType: 'timesheet', sourceId: id, paymentId: paymentId! } as const;
    await at.paymentTold(at.payment(source, 'failed', 3));
    await expect(submit(at, contractId)).rejects.toEqual(refused('VALIDATION_FAILED'));
    await at.paymentTold(at.payment(source, 'cancelled', 5));
    await submit(at, contractId);
  });

  it('of 10 concurrent submissions for a period one succeeds', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => submit(at, contractId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await at.rows('timesheet')).toHaveLength(1);
  });
});
