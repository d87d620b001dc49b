import { newId, type DomainError } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { approveTimesheet, rejectTimesheet } from '../src/commands/review-timesheet.js';
import { resubmitTimesheet, type ResubmitTimesheet, submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Timesheet } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_timesheets');
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

describe('resubmitting a timesheet', () => {
  it('corrects rejected work, recalculates it with the current terms and makes a new version', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    const rejected = await reject(at, submitted);
    expect(rejected).toMatchObject({ status: 'rejected', rejectionReason: 'Too many hours' });
    await at.termsChanged({ contractId, revision: 2, rate: '60', paymentDueDays: 7 });
    const again = await resubmit(at, { id: submitted.id, unitsWorked: '8.5', periodEnd: '2027-03-06' });
    expect(again).toMatchObject({
      status: 'submitted',
      rejectionReason: null,
      periodStart: '2027-03-01',
      periodEnd: '2027-03-06',
      total: { amount: '510.00', currency: 'EUR' },
      paymentScheduledDate: '2027-03-13',
    });
    expect(again.submittedAt > submitted.submittedAt).toBe(true);
    expect(new Set([submitted, rejected, again].map(({ version }) => version)).size).toBe(3);
    expect((await at.audit()).map(({ action }) => action)).toEqual([
      'timesheet.submitted',
      'timesheet.rejected',
      'timesheet.resubmitted',
    ]);
  });

  it('is allowed for rejected work only, and only while the contract is open', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    await expect(resubmit(at, { id: submitted.id })).rejects.toEqual(refused('INVALID_STATE'));
    const rejected = await reject(at, submitted);
    await at.termsChanged({ contractId, revision: 2, status: 'cancelled' });
    await expect(resubmit(at, { id: rejected.id })).rejects.toEqual(refused('INVALID_STATE'));
    await expect(resubmit(at, { id: newId() })).rejects.toEqual(refused('NOT_FOUND'));
    await expect(resubmit(review.workspace(), { id: rejected.id })).rejects.toEqual(refused('NOT_FOUND'));
  });
});

describe('timesheet review', () => {
  it('of 30 concurrent approvals one succeeds and one payment is created', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract());
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => approve(at, submitted)));
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect([won.length, lost.length]).toEqual([1, 29]);
    expect(lost.map(({ reason }) => (reason as DomainError).code)).toEqual(Array(29).fill('STALE_RESOURCE_VERSION'));
    expect(await at.eventsForPayments()).toMatchObject([{ about_id: won[0]?.value.paymentId }]);
  });

  it('checks the version before the state', async () => {
    const at = review.workspace();
    const submitted = await submit(at, await at.contract());
    const approved = await approve(at, submitted);
    await expect(reject(at, submitted)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
    await expect(reject(at, approved)).rejects.toEqual(refused('INVALID_STATE'));
    await expect(approve(at, approved)).rejects.toEqual(refused('INVALID_STATE'));
  });

  it('submitted work of a cancelled contract can be decided; new work is refused', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const one = await submit(at, contractId);
    const two = await submit(at, contractId, { periodStart: '2027-03-08', periodEnd: '2027-03-14' });
    await at.termsChanged({ contractId, revision: 2, status: 'cancelled' });
    await expect(submit(at, contractId, { periodStart: '2027-04-01', periodEnd: '2027-04-02' })).rejects.toEqual(
      refused('INVALID_STATE'),
    );
    expect(await approve(at, one)).toMatchObject({ status: 'approved' });
    expect(await reject(at, two)).toMatchObject({ status: 'rejected' });
  });

  it('requires the scope and the role', async () => {
    const at = review.workspace();
    const { id, version } = await submit(at, await at.contract());
    for (const origin of [at.member, at.viewer, { ...at.admin, actor: { ...at.admin.actor, scopes: ['read'] } }]) {
      const input = { id, expectedVersion: version };
      const who = origin as typeof at.admin;
      await expect(review.commands.run(approveTimesheet, input, who)).rejects.toEqual(refused('INSUFFICIENT_SCOPE'));
    }
    await expect(review.commands.run(submitTimesheet, { contractId: id, ...week }, at.admin)).rejects.toEqual(
      refused('INSUFFICIENT_SCOPE'),
    );
  });

  it.each(['', '  \n', 'x'.repeat(2_001), 'nul \0', 'half \ud800'])(
    'rejects with a reason, but not %j',
    async (reason) => {
      const at = review.workspace();
      const submitted = await submit(at, await at.contract());
      await expect(reject(at, submitted, reason)).rejects.toEqual(refused('VALIDATION_FAILED'));
    },
  );
});

describe('a change of terms while a timesheet is submitted', () => {
  it('changes version and updatedAt; approval with the old version is refused', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, rate: '55' });
    await expect(approve(at, submitted)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
    const [row] = await at.rows<{ updated_at: string; total: string }>('timesheet');
    expect(row?.total).toBe('550.00');
    expect(row!.updated_at.replace(' ', 'T') > submitted.updatedAt).toBe(true);
  });

  it('applies the terms of a newer publisher, whose event has further fields', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    const newer: object = { overtimeRate: '75' };
    await at.termsChanged({ contractId, revision: 2, rate: '55', ...newer });
    await expect(approve(at, submitted)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
  });

  it('racing with an approval: either the reviewed amount is paid or the approval is refused', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const approved = { before: 0, after: 0 };
    for (let round = 1; round <= 20; round++) {
      const day = `2027-05-${String(round).padStart(2, '0')}`;
      const submitted = await submit(at, contractId, { periodStart: day, periodEnd: day });
      const change = (): Promise<void> => at.termsChanged({ contractId, revision: round + 1, rate: `${60 + round}` });
      const first = round % 2 === 0 ? change() : undefined;
      const [outcome] = await Promise.allSettled([approve(at, submitted), first ?? change()]);
      if (outcome.status === 'fulfilled') {
        approved.before += 1;
        expect(outcome.value.total).toEqual(submitted.total);
        const event = review.emitted.find(({ aboutId }) => aboutId === outcome.value.paymentId);
        expect(event?.body).toMatchObject({ total: submitted.total });
      } else {
        approved.after += 1;
        expect(outcome.reason).toEqual(refused('STALE_RESOURCE_VERSION'));
      }
    }
    expect(approved.before + approved.after).toBe(20);
  });

  it.each([
    ['no rate', { rate: null }],
    ['a payment date outside the calendar', { paymentDueDays: 99_999_999 }],
    ['an amount that is too long', { rate: '9'.repeat(38) }],
  ])('terms that give %s leave submitted work unchanged and are refused for new work', async (_, terms) => {
    const at = review.workspace();
    const contractId = await at.contract();
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, ...terms });
    await expect(submit(at, contractId, { periodStart: '2027-04-01', periodEnd: '2027-04-01' })).rejects.toEqual(
      refused('INVALID_STATE'),
    );
    expect(await approve(at, submitted)).toMatchObject({ total: submitted.total });
  });

  it('automatic payment ends even under terms that give no payable total', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ autoPayEnabled: true });
    const submitted = await submit(at, contractId);
    await at.termsChanged({ contractId, revision: 2, autoPayEnabled: true, paymentDueDays: 99_999_999 });
    await at.termsChanged({ contractId, revision: 3, autoPayEnabled: false, paymentDueDays: 99_999_999 });
    await expect(approve(at, submitted)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
    const [row] = await at.rows<{ auto_pay_enabled: boolean; total: string }>('timesheet');
    expect(row).toMatchObject({ auto_pay_enabled: false, total: submitted.total.amount });
  });
});

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
