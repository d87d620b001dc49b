import { dayOf, newId, type DomainError } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { addMilestone, updateMilestone } from '../src/commands/plan-milestone.js';
import { applyAgreedMilestones } from '../src/commands/apply-events.js';
import { approveMilestone, rejectMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import type { Milestone } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_milestones');
afterAll(() => review[Symbol.asyncDispose]());

const refused = (code: string): unknown => expect.objectContaining({ code });

const submit = (at: Workspace, id: string, edge: 'submit' | 'resubmit' = 'submit'): Promise<Milestone> =>
  review.commands.run(submitMilestone, { id, edge }, at.staff);
const approve = (at: Workspace, { id, version }: Milestone): Promise<Milestone> =>
  review.commands.run(approveMilestone, { id, expectedVersion: version }, at.admin);
const reject = (at: Workspace, { id, version }: Milestone): Promise<Milestone> =>
  review.commands.run(rejectMilestone, { id, expectedVersion: version, reason: ' Not done ' }, at.admin);

/** A submitted milestone of an active contract. */
async function submitted(at: Workspace): Promise<Milestone> {
  const [id] = await at.milestonesAgreed(await at.contract());
  return await submit(at, id!);
}

describe('the milestones of a draft', () => {
  it('become pending milestones once; a repeated event with more of them changes nothing', async () => {
    const at = review.workspace();
    const contractId = newId();
    const event = at.agreed(contractId, [{ title: 'One' }, { title: 'Two', dueDate: '2027-09-30' }]);
    await at.hear(applyAgreedMilestones, event);
    const all = await at.rows<{ id: string }>('milestone');
    expect(all).toMatchObject([
      { title: 'One', status: 'pending', amount: '1500.00', currency: 'EUR', sort_order: 0, due_date: null },
      { title: 'Two', status: 'pending', payment_id: null, payment_date: null, sort_order: 1, due_date: '2027-09-30' },
    ]);
    await review.commands.run(updateMilestone, { id: all[0]!.id, title: 'First' }, at.staff);
    await at.milestonesAgreed(contractId, [...event.body.milestones, { title: 'Three' }]);
    expect((await at.rows<{ title: string }>('milestone')).map(({ title }) => title).toSorted()).toEqual([
      'First',
      'Three',
      'Two',
    ]);
    expect((await at.audit()).map(({ action }) => action)).toEqual([
      'milestone.agreed',
      'milestone.agreed',
      'milestone.updated',
      'milestone.agreed',
    ]);
  });
});

describe('agreeing on milestones', () => {
  const details = { title: 'Launch', description: null, amount: '99.9', dueDate: null, sortOrder: 3 };

  it('adds to an open contract, in its currency, and changes a pending milestone', async () => {
    const at = review.workspace();
    const contractId = await at.contract({ currency: 'USD' });
    const added = await review.commands.run(addMilestone, { contractId, ...details }, at.staff);
    expect(added).toMatchObject({ status: 'pending', amount: { amount: '99.90', currency: 'USD' }, sortOrder: 3 });
    const change = { id: added.id, amount: '120', dueDate: '2027-08-01', description: 'With fanfare' };
    const changed = await review.commands.run(updateMilestone, change, at.staff);
    expect(changed).toMatchObject({
      title: 'Launch',
      description: 'With fanfare',
      amount: { amount: '120.00', currency: 'USD' },
      dueDate: '2027-08-01',
    });
    expect(changed.version).not.toBe(added.version);
    expect(changed.updatedAt > added.updatedAt).toBe(true);
  });

  it.each(['draft', 'signed', 'completed', 'cancelled'] as const)('refuses to add to a %s contract', async (status) => {
    const at = review.workspace();
    const contractId = await at.contract({ status });
    await expect(review.commands.run(addMilestone, { contractId, ...details }, at.staff)).rejects.toEqual(
      refused('INVALID_STATE'),
    );
  });

  it('finds only contracts of its workspace, and is for the application only', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const add = (origin: typeof at.staff): Promise<Milestone> =>
      review.commands.run(addMilestone, { contractId, ...details }, origin);
    await expect(add(review.workspace().staff)).rejects.toEqual(refused('NOT_FOUND'));
    await expect(add(at.admin)).rejects.toEqual(refused('INSUFFICIENT_SCOPE'));
  });

  it('refuses to change a submitted milestone', async () => {
    const at = review.workspace();
    const { id } = await submitted(at);
    await expect(review.commands.run(updateMilestone, { id, title: 'Else' }, at.staff)).rejects.toEqual(
      refused('INVALID_STATE'),
    );
  });
});

describe('milestone review', () => {
  it('approval names a payment due today, and the event has the frozen amount', async () => {
    const at = review.workspace();
    const milestone = await submitted(at);
    const approved = await approve(at, milestone);
    expect(approved).toMatchObject({ status: 'approved', paymentDate: dayOf(approved.updatedAt) });
    const event = review.emitted.find(({ aboutId }) => aboutId === approved.paymentId);
    expect(event).toMatchObject({
      type: 'milestone.approved',
      body: {
        milestoneId: milestone.id,
        paymentId: approved.paymentId,
        amount: { amount: '1500.00', currency: 'EUR' },
      },
    });
  });

  it('rejects with a trimmed reason; a resubmitted milestone can be approved', async () => {
    const at = review.workspace();
    const milestone = await submitted(at);
    expect(await reject(at, milestone)).toMatchObject({ status: 'rejected', rejectionReason: 'Not done' });
    const again = await submit(at, milestone.id, 'resubmit');
    expect(again).toMatchObject({ status: 'submitted', rejectionReason: null });
    await expect(approve(at, milestone)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
    expect(await approve(at, again)).toMatchObject({ status: 'approved' });
  });

  it('of 30 concurrent approvals one succeeds and one payment is created', async () => {
    const at = review.workspace();
    const milestone = await submitted(at);
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => approve(at, milestone)));
    const lost = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(lost.map(({ reason }) => (reason as DomainError).code)).toEqual(Array(29).fill('STALE_RESOURCE_VERSION'));
    expect(await at.eventsForPayments()).toHaveLength(1);
  });

  it('30 copies of one approval return the same result', async () => {
    const at = review.workspace();
    const { id, version: expectedVersion } = await submitted(at);
    const operationId = newId();
    const results = await Promise.all(
      Array.from({ length: 30 }, () =>
        review.commands.run(approveMilestone, { id, expectedVersion }, { ...at.admin, operationId }),
      ),
    );
    for (const result of results) expect(result).toEqual(results[0]);
    expect(await at.eventsForPayments()).toHaveLength(1);
  });

  it('checks the version before the state', async () => {
    const at = review.workspace();
    const milestone = await submitted(at);
    const approved = await approve(at, milestone);
    await expect(reject(at, milestone)).rejects.toEqual(refused('STALE_RESOURCE_VERSION'));
    await expect(reject(at, approved)).rejects.toEqual(refused('INVALID_STATE'));
    await expect(approve(at, approved)).rejects.toEqual(refused('INVALID_STATE'));
  });

  it('requires milestones:write and an admin', async () => {
    const at = review.workspace();
    const { id, version: expectedVersion } = await submitted(at);
    const admin = at.admin.actor;
    const limited = { ...at.admin, actor: { ...admin, scopes: ['read', 'timesheets:write'] as const } };
    for (const origin of [at.member, at.viewer, limited]) {
      await expect(review.commands.run(approveMilestone, { id, expectedVersion }, origin)).rejects.toEqual(
        refused('INSUFFICIENT_SCOPE'),
      );
      await expect(review.commands.run(rejectMilestone, { id, expectedVersion, reason: 'No' }, origin)).rejects.toEqual(
        refused('INSUFFICIENT_SCOPE'),
      );
    }
  });

  it('work of a cancelled contract can be decided but not submitted', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const [one, two, three] = await at.milestonesAgreed(contractId, [{}, {}, {}]);
    const [first, second] = [await submit(at, one!), await submit(at, two!)];
    await at.termsChanged({ contractId, revision: 2, status: 'cancelled' });
    await expect(submit(at, three!)).rejects.toEqual(refused('INVALID_STATE'));
    expect(await approve(at, first)).toMatchObject({ status: 'approved' });
    await reject(at, second);
    await expect(submit(at, two!, 'resubmit')).rejects.toEqual(refused('INVALID_STATE'));
  });

  it('refuses to submit a milestone of a draft contract (INVALID_STATE)', async () => {
    const at = review.workspace();
    for (const contractId of [newId(), await at.contract({ status: 'draft' })]) {
      const [id] = await at.milestonesAgreed(contractId);
      await expect(submit(at, id!)).rejects.toEqual(refused('INVALID_STATE'));
    }
  });
});
