import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { addMilestone, updateMilestone } from '../src/commands/plan-milestone.js';
import { applyAgreedMilestones } from '../src/commands/apply-events.js';
import { approveMilestone, rejectMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import { approveTimesheet } from '../src/commands/review-timesheet.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import type { Milestone } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_payable');
afterAll(() => review[Symbol.asyncDispose]());

const refused = (code: string, ...details: [path: string, code: string][]): unknown =>
  expect.objectContaining({
    code,
    ...(details[0] && { details: details.map(([path, what]) => ({ path, code: what })) }),
  });

const week = { periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };

const submit = (at: Workspace, id: string, edge: 'submit' | 'resubmit' = 'submit'): Promise<Milestone> =>
  review.commands.run(submitMilestone, { id, edge }, at.staff);

/** Writes a row as older versions could, without the amount check. */
async function stored(table: 'milestone' | 'timesheet', id: string, values: Record<string, string>): Promise<void> {
  const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${id}`.execute(review.em.getKysely());
}

describe('a milestone with an amount that no bank can pay', () => {
  const details = { title: 'Launch', description: null, dueDate: null, sortOrder: 0 };

  it.each([
    ['10.005', 'USD', 'too_precise'],
    ['10.5', 'JPY', 'too_precise'],
    ['0.0000001', 'EUR', 'too_precise'],
    [`1${'0'.repeat(20)}`, 'EUR', 'out_of_range'],
    ['9'.repeat(40), 'EUR', 'out_of_range'],
    ['1', 'ZQX', 'unknown_currency'],
  ])('an amount of %s %s is refused', async (amount, currency, code) => {
    const at = review.workspace();
    const contractId = await at.contract({ currency });
    const added = review.commands.run(addMilestone, { contractId, ...details, amount }, at.staff);
    await expect(added).rejects.toEqual(refused('VALIDATION_FAILED', ['amount', code]));
    expect(await at.rows('milestone')).toEqual([]);
  });

  it('cannot be submitted until it is corrected', async () => {
    const at = review.workspace();
    const [id] = await at.milestonesAgreed(await at.contract(), [{ amount: { amount: '10.005', currency: 'EUR' } }]);
    await expect(submit(at, id!)).rejects.toEqual(refused('VALIDATION_FAILED', ['amount', 'too_precise']));
    const correct = (amount: string) => review.commands.run(updateMilestone, { id: id!, amount }, at.staff);
    await expect(correct('10.006')).rejects.toEqual(refused('VALIDATION_FAILED', ['amount', 'too_precise']));
    await correct('10.01');
    expect(await submit(at, id!)).toMatchObject({ status: 'submitted' });
  });

  it('cannot be approved; rejected and corrected, it can', async () => {
    const at = review.workspace();
    const [id] = await at.milestonesAgreed(await at.contract());
    const { version } = await submit(at, id!);
    await stored('milestone', id!, { amount: '10.005' });
    const decision = { id: id!, expectedVersion: version };
    await expect(review.commands.run(approveMilestone, decision, at.admin)).rejects.toEqual(
      refused('VALIDATION_FAILED', ['amount', 'too_precise']),
    );
    await review.commands.run(rejectMilestone, { ...decision, reason: 'Half a cent' }, at.admin);
    await expect(submit(at, id!, 'resubmit')).rejects.toEqual(refused('VALIDATION_FAILED', ['amount', 'too_precise']));
    await review.commands.run(updateMilestone, { id: id!, amount: '10.01' }, at.staff);
    const again = await submit(at, id!, 'resubmit');
    const approval = { id: id!, expectedVersion: again.version };
    expect(await review.commands.run(approveMilestone, approval, at.admin)).toMatchObject({ status: 'approved' });
  });
});

describe('a timesheet with a total that no bank can pay', () => {
  it.each([
    ['rate of 37 digits', { rate: '9'.repeat(37) }],
    ['rate that is almost zero', { rate: `0.${'0'.repeat(36)}1` }],
    ['total above the maximum', { rate: '9'.repeat(20) }],
    ['currency that does not exist', { currency: 'ZQX' }],
  ])('submission fails for a %s', async (_, terms) => {
    const at = review.workspace();
    const contractId = await at.contract(terms);
    const submitted = review.commands.run(submitTimesheet, { contractId, ...week }, at.application);
    await expect(submitted).rejects.toEqual(refused('INVALID_STATE'));
  });

  it('approval fails if the stored total cannot be paid', async () => {
    const at = review.workspace();
    const { id, version } = await review.commands.run(
      submitTimesheet,
      { contractId: await at.contract(), ...week },
      at.application,
    );
    await stored('timesheet', id, { total: '10.005' });
    const approved = review.commands.run(approveTimesheet, { id, expectedVersion: version }, at.admin);
    await expect(approved).rejects.toEqual(refused('VALIDATION_FAILED', ['total', 'too_precise']));
    expect(await at.eventsForPayments()).toEqual([]);
  });

  it('a rate finer than the currency gives a rounded total', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ rate: '33.333333333333336' });
    const work = await review.commands.run(submitTimesheet, { contractId, ...week }, at.application);
    expect(work).toMatchObject({ rate: { amount: '33.333333333333336' }, total: { amount: '333.33' } });
  });
});

it('a corrected draft milestone is applied in any event order, but not after approval', async () => {
  const at = review.workspace();
  const contractId = await at.contract();
  const milestoneId = newId();
  const tell = (agreement: number, amount: string) => {
    const event = at.agreed(contractId, [{ milestoneId, amount: { amount, currency: 'USD' } }]);
    const body = { ...event.body, agreements: { [milestoneId]: agreement } };
    return at.hear(applyAgreedMilestones, { ...event, body });
  };
  const shown = async () => (await at.rows<{ amount: string; revision: number }>('milestone'))[0];
  await tell(0, '10.005');
  await tell(2, '12.00');
  await tell(1, '11.00');
  expect(await shown()).toMatchObject({ amount: '12.00', currency: 'USD', revision: 2, draft_revision: 2 });
  const { version } = await submit(at, milestoneId);
  await review.commands.run(approveMilestone, { id: milestoneId, expectedVersion: version }, at.admin);
  await tell(3, '13.00');
  expect(await shown()).toMatchObject({ amount: '12.00', status: 'approved' });
  expect((await at.audit()).map(({ action }) => action)).toEqual([
    'milestone.agreed',
    'milestone.agreed-anew',
    'milestone.submitted',
    'milestone.approved',
  ]);
});
