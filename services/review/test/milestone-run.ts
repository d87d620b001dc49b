import type { MilestoneStatus } from '@payroll/kernel';
import assert from 'node:assert/strict';
import { approveMilestone, rejectMilestone, submitMilestone } from '../src/commands/review-milestone.js';
import { updateMilestone } from '../src/commands/plan-milestone.js';
import type { Milestone } from '../src/store/views.js';
import { versionOf } from '../src/domain/work.js';
import { outcomeOf, PAYMENT_EVENTS } from './model.js';
import type { Review } from './review.js';
import type { Workspace } from './workspace.js';

const DECISIONS = { approve: 'approved', reject: 'rejected' } as const;
const HAND_INS = { submit: 'pending', resubmit: 'rejected' } as const;

export type Step =
  | { do: 'submit' | 'resubmit' }
  | { do: 'update'; amount: string }
  | { do: 'approve' | 'reject'; stale: boolean }
  | { do: 'payment'; event: number }
  | { do: 'agreed again' };

/** Applies steps to the service and to a simple model of it, and compares the results. */
export class MilestoneRun {
  status: MilestoneStatus = 'pending';
  amount = '1500.00';
  versions: string[];
  paymentId: string | null = null;
  sequence = 0;

  constructor(
    private readonly review: Review,
    readonly at: Workspace,
    readonly contractId: string,
    readonly id: string,
  ) {
    this.versions = [versionOf(id, 1)];
  }

  async take(taken: Step): Promise<void> {
    const { at, id } = this;
    switch (taken.do) {
      case 'submit':
      case 'resubmit': {
        const { code } = await outcomeOf(this.review.commands.run(submitMilestone, { id, edge: taken.do }, at.staff));
        assert.equal(code, this.status === HAND_INS[taken.do] ? null : 'INVALID_STATE');
        return code ? undefined : this.becomes('submitted');
      }
      case 'update': {
        const change = { id, amount: taken.amount };
        const { code } = await outcomeOf(this.review.commands.run(updateMilestone, change, at.staff));
        const isOpen = this.status === 'pending' || this.status === 'rejected';
        assert.equal(code, isOpen ? null : 'INVALID_STATE');
        if (code) return;
        this.amount = taken.amount;
        return this.becomes(this.status);
      }
      case 'approve':
      case 'reject':
        return await this.decide(taken.do, taken.stale && this.versions.length > 1);
      case 'payment':
        return await this.tell(taken.event);
      case 'agreed again':
        await at.milestonesAgreed(this.contractId, [{ milestoneId: id }]);
        return;
      default:
        throw new Error(`Unexpected: ${JSON.stringify(taken satisfies never)}`);
    }
  }

  private becomes(status: MilestoneStatus): void {
    this.status = status;
    this.versions.push(versionOf(this.id, this.versions.length + 1));
  }

  private async decide(decision: 'approve' | 'reject', stale: boolean): Promise<void> {
    const input = { id: this.id, expectedVersion: this.versions.at(stale ? -2 : -1)! };
    const decided: Promise<Milestone> =
      decision === 'approve'
        ? this.review.commands.run(approveMilestone, input, this.at.admin)
        : this.review.commands.run(rejectMilestone, { ...input, reason: 'No' }, this.at.admin);
    const { result, code } = await outcomeOf(decided);
    const refusal = stale ? 'STALE_RESOURCE_VERSION' : this.status === 'submitted' ? null : 'INVALID_STATE';
    assert.equal(code, refusal);
    if (!result) return;
    this.paymentId = result.paymentId;
    this.becomes(DECISIONS[decision]);
  }

  /**
   * Spelled out instead of using the machine's table: the newest payment event decides until the milestone is paid.
   */
  private async tell(index: number): Promise<void> {
    const { at, id, paymentId } = this;
    if (paymentId === null) return;
    const [payment, sequence] = PAYMENT_EVENTS[index]!;
    await at.paymentTold(at.payment({ sourceType: 'milestone', sourceId: id, paymentId }, payment, sequence));
    if (sequence <= this.sequence) return;
    this.sequence = sequence;
    if (this.status === 'paid') return;
    const after = payment === 'completed' ? 'paid' : payment === 'processing' ? 'completed' : 'approved';
    if (after !== this.status) this.becomes(after);
  }

  async compare(): Promise<void> {
    assert.partialDeepStrictEqual(await this.at.rows('milestone'), [
      {
        id: this.id,
        status: this.status,
        amount: this.amount,
        revision: this.versions.length,
        payment_id: this.paymentId,
        payment_sequence: this.sequence,
        rejection_reason: this.status === 'rejected' ? 'No' : null,
      },
    ]);
    assert.equal((await this.at.eventsForPayments()).length, this.paymentId === null ? 0 : 1);
    assert.equal((await this.at.rows('audit_entry')).length, this.versions.length);
  }
}
