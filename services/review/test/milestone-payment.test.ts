import { newId, type PaymentStatus } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { approveMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_milestone_payment');
afterAll(() => review[Symbol.asyncDispose]());

interface Row {
  id: string;
  status: string;
  revision: number;
  updated_at: string;
}

describe('the payment of an approved milestone', () => {
  /** Approves a milestone. @returns a function that applies a payment event and returns the row afterwards. */
  async function approved(at: Workspace): Promise<(status: PaymentStatus, sequence: number) => Promise<Row>> {
    const [id] = await at.milestonesAgreed(await at.contract());
    const { version } = await review.commands.run(submitMilestone, { id: id!, edge: 'submit' }, at.staff);
    const approval = { id: id!, expectedVersion: version };
    const { paymentId } = await review.commands.run(approveMilestone, approval, at.admin);
    const source = { sourceType: 'milestone', sourceId: id!, paymentId: paymentId! } as const;
    return async (status, sequence) => {
      await at.paymentTold(at.payment(source, status, sequence));
      return (await at.rows<Row>('milestone'))[0]!;
    };
  }

  it('the milestone follows it through failure, retry and settlement, each step a new version', async () => {
    const told = await approved(review.workspace());
    const steps = [
      await told('pending', 1),
      await told('processing', 2),
      await told('failed', 3),
      await told('pending', 4),
      await told('processing', 5),
      await told('completed', 6),
    ];
    expect(steps.map(({ status }) => status)).toEqual([
      'approved',
      'completed',
      'approved',
      'approved',
      'completed',
      'paid',
    ]);
    // A pending payment changes nothing visible about an approved milestone.
    expect(steps.map(({ revision }) => revision)).toEqual([3, 4, 5, 5, 6, 7]);
    expect(new Set(steps.map(({ updated_at }) => updated_at)).size).toBe(5);
  });

  it('ignores late and repeated payment events after settlement', async () => {
    const told = await approved(review.workspace());
    const paid = await told('completed', 3);
    expect(paid.status).toBe('paid');
    expect(await told('processing', 2)).toEqual(paid);
    expect(await told('failed', 3)).toEqual(paid);
    expect(await told('cancelled', 9)).toMatchObject({ status: 'paid', revision: paid.revision });
  });

  it('ignores events for another payment or another milestone', async () => {
    const at = review.workspace();
    const told = await approved(at);
    const before = await told('pending', 1);
    const foreign = { sourceType: 'milestone', sourceId: before.id, paymentId: newId() } as const;
    await at.paymentTold(at.payment(foreign, 'completed', 9));
    await at.paymentTold(at.payment({ ...foreign, sourceId: newId() }, 'completed', 9));
    expect(await at.rows('milestone')).toEqual([before]);
  });
});
