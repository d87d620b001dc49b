import { copyDatabase } from '@payroll/tools/local/test-server';
import { readGeneration } from '@payroll/store';
import { expect, inject, it } from 'vitest';
import { applyPaymentStatus } from '../src/commands/apply-events.js';
import { approveMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import type { Milestone } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const DATABASE = 'review_histories';
const BACKUP = 'review_histories_backup';

async function approve({ commands }: Review, at: Workspace, { id, version }: Milestone): Promise<string> {
  const approved = await commands.run(approveMilestone, { id, expectedVersion: version }, at.admin);
  return approved.paymentId!;
}

/** A submitted milestone, in a database that has a backup. */
async function submitted(): Promise<{ workspaceId: string; milestone: Milestone }> {
  await using review = await Review.open(DATABASE);
  const at = review.workspace();
  const [id] = await at.milestonesAgreed(await at.contract());
  const milestone = await review.commands.run(submitMilestone, { id: id!, edge: 'submit' }, at.staff);
  return { workspaceId: at.id, milestone };
}

it('after a restore, repeated approval names the same payment and ignores lost events', async () => {
  const { workspaceId, milestone } = await submitted();
  await copyDatabase(inject('backends'), DATABASE, BACKUP);
  await using lost = await Review.over(DATABASE);
  const paymentId = await approve(lost, lost.workspace(workspaceId), milestone);
  const lostHistory = await readGeneration(lost.em);

  await using restored = await Review.over(BACKUP);
  const at = restored.workspace(workspaceId);
  expect(await approve(restored, at, milestone)).toBe(paymentId);
  const payment = { sourceType: 'milestone', sourceId: milestone.id, paymentId } as const;
  const created = at.payment(payment, 'pending', 1);
  const completed = at.payment(payment, 'completed', 3);
  await at.hear(applyPaymentStatus, created);
  const before = await at.rows('milestone');
  await expect(at.hear(applyPaymentStatus, completed, lostHistory)).rejects.toThrow('unavailable');
  expect(await at.rows('milestone')).toEqual(before);
  expect(before).toMatchObject([{ status: 'approved', payment_id: paymentId, payment_sequence: 1 }]);

  // The event itself was valid; only its generation differed.
  expect(await at.hear(applyPaymentStatus, completed)).toBe('applied');
  expect(await at.rows('milestone')).toMatchObject([{ status: 'paid', payment_sequence: 3 }]);
});
