import type { EventBody, EventType } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { type CommandTransaction, defineCommand } from '@payroll/commands';
import { columns, sql } from '@payroll/store';
import { autoApprovalOf } from '../domain/contract-terms.js';
import { milestoneAfterPayment } from '../domain/milestone.js';
import { amountsUnder, sameAmounts } from '../domain/timesheet.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from '../store/tables.js';
import { findTerms, type MilestoneRow, nextRevision } from './work.js';
import { createMilestone } from './plan-milestone.js';

/**
 * Stores the newest terms of a contract. Recalculates submitted work; a changed result gives the work a new version.
 */
export const applyContractChange = defineCommand('contract-terms.apply', {
  who: SYSTEM_ONLY,
  find: (rows, { contractId }: EventBody<'contract.changed'>) => findTerms(rows, contractId),
  decide: async (tx, change, known) => {
    const { employmentType: _e, contractType: _c, ...terms } = change;
    if (known && known.revision >= change.revision) return;
    if (!known) tx.insert(ContractTermsTable, terms);
    else {
      tx.update(ContractTermsTable, known, terms);
      await recalculateSubmittedWork(tx, change);
    }
  },
});

async function recalculateSubmittedWork(tx: CommandTransaction, terms: EventBody<'contract.changed'>): Promise<void> {
  const submitted = await tx.read(sql`select ${columns(TimesheetTable)} from timesheet
    where workspace_id = ${tx.workspaceId} and contract_id = ${terms.contractId} and status = 'submitted' order by id`);
  for (const timesheet of submitted) {
    const now = amountsUnder(terms, timesheet);
    const changed = !sameAmounts(timesheet, now);
    // Reviewers do not see when a rule would approve the work, so a new `approveAt` alone makes no new version.
    const approveAt = autoApprovalOf(terms, timesheet.submittedAt)?.at ?? null;
    tx.update(TimesheetTable, timesheet, { approveAt, ...(changed && { ...now, ...nextRevision(tx, timesheet) }) });
    if (changed) tx.audit('timesheet.terms-changed', timesheet.id, now);
  }
}

type Agreed = EventBody<'contract.milestones-agreed'>['milestones'][number];

/**
 * Creates missing milestones. Updates a known one only if the draft was corrected since and it is not approved yet.
 */
export const applyAgreedMilestones = defineCommand('milestones.apply-agreed', {
  who: SYSTEM_ONLY,
  decide: async (tx, { contractId, milestones, agreements = {} }: EventBody<'contract.milestones-agreed'>) => {
    const ids = milestones.map(({ milestoneId }) => milestoneId);
    const here = await tx.read(sql`select ${columns(MilestoneTable)} from milestone
      where workspace_id = ${tx.workspaceId} and id = any(${ids}::uuid[])`);
    const known = new Map(here.map((milestone) => [milestone.id, milestone]));
    for (const agreed of milestones) {
      const milestone = known.get(agreed.milestoneId);
      const draftRevision = agreements[agreed.milestoneId] ?? 0;
      if (milestone) updateFromDraft(tx, milestone, agreed, draftRevision);
      else create(tx, contractId, agreed, draftRevision);
    }
  },
});

function create(tx: CommandTransaction, contractId: string, agreed: Agreed, draftRevision: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  createMilestone(tx, { id, contractId, ...details, draftRevision, ...amount });
  tx.audit('milestone.agreed', id, { contractId, amount });
}

function updateFromDraft(tx: CommandTransaction, milestone: MilestoneRow, agreed: Agreed, draftRevision: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  if (draftRevision <= milestone.draftRevision || milestone.paymentId !== null) return;
  tx.update(MilestoneTable, milestone, { ...details, draftRevision, ...amount, ...nextRevision(tx, milestone) });
  tx.audit('milestone.agreed-anew', id, { ...details, amount });
}

type PaymentEvent = EventBody<Extract<EventType, `payment.${string}`>>;

/**
 * Follows the payment of approved work. Events may arrive out of order and more than once: the highest sequence wins.
 */
export const applyPaymentStatus = defineCommand('payment-status.apply', {
  who: SYSTEM_ONLY,
  decide: (tx, news: PaymentEvent) =>
    news.sourceType === 'timesheet' ? followTimesheetPayment(tx, news) : followMilestonePayment(tx, news),
});

/**
 * Copies the payment's status. It does not move the timesheet's `updatedAt` or version: the payment has its own
 * `updatedAt`.
 */
function followTimesheetPayment(tx: CommandTransaction, { sourceId, paymentId, status, sequence }: PaymentEvent): void {
  tx.write(sql`update timesheet set payment_status = ${status}, payment_sequence = ${sequence}
    where workspace_id = ${tx.workspaceId} and id = ${sourceId}
      and payment_id = ${paymentId} and payment_sequence < ${sequence}`);
}

async function followMilestonePayment(tx: CommandTransaction, news: PaymentEvent): Promise<void> {
  const milestone = await tx.lock(MilestoneTable, news.sourceId);
  if (!milestone || milestone.paymentId !== news.paymentId || milestone.paymentSequence >= news.sequence) return;
  const from = milestone.status;
  const to = milestoneAfterPayment(from, news.status);
  const moved = to !== from;
  const followed = { paymentSequence: news.sequence, ...(moved && { status: to, ...nextRevision(tx, milestone) }) };
  tx.update(MilestoneTable, milestone, followed);
  if (!moved) return;
  tx.audit('milestone.payment-followed', milestone.id, { status: { from, to }, payment: news.status });
}
