import type { EventBody, EventType } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { type CommandTransaction, defineCommand } from '@payroll/store';
import { autoApprovalOf } from '../domain/auto-approval.js';
import { milestoneAfterPayment } from '../domain/milestone.js';
import { reckon, sameReckoning } from '../domain/timesheet.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from '../store/tables.js';
import { findTerms, type MilestoneEntity, touch } from './find-work.js';
import { createMilestone } from './plan-milestone.js';

/** Keeps the newest terms of a contract. Submitted work is reckoned anew and gets a new version where that changes it. */
export const applyContractChange = defineCommand(
  'contract-terms.apply',
  SYSTEM_ONLY,
  async (tx, change: EventBody<'contract.changed'>) => {
    const { workspaceId } = tx;
    const { contractId, employmentType: _e, contractType: _c, workerId: _w, ...terms } = change;
    const known = await findTerms(tx, contractId);
    if (known && known.revision >= change.revision) return;
    if (known) Object.assign(known, terms);
    else tx.em.create(ContractTermsTable, { workspaceId, contractId, ...terms });
    if (known) await reckonSubmittedWork(tx, change);
  },
);

async function reckonSubmittedWork(tx: CommandTransaction, terms: EventBody<'contract.changed'>): Promise<void> {
  const { workspaceId } = tx;
  const submitted = await tx.em.find(
    TimesheetTable,
    { workspaceId, contractId: terms.contractId, status: 'submitted' },
    { orderBy: { id: 'asc' } },
  );
  for (const timesheet of submitted) {
    // When a rule would approve it is nothing a reviewer sees: that alone makes no new version.
    timesheet.approveAt = autoApprovalOf(terms, timesheet.submittedAt)?.at ?? null;
    const reckoned = reckon(terms, timesheet);
    // Terms that come to nothing leave the work as it was handed in, for the reviewer to decide.
    if (reckoned === null || sameReckoning(timesheet, reckoned)) continue;
    Object.assign(timesheet, reckoned);
    touch(tx, timesheet);
    tx.audit('timesheet.terms-changed', timesheet.id, reckoned);
  }
}

type Agreed = EventBody<'contract.milestones-agreed'>['milestones'][number];

/** Milestones that are here already stay, unless the draft was corrected since and they are not approved yet. */
export const applyAgreedMilestones = defineCommand(
  'milestones.apply-agreed',
  SYSTEM_ONLY,
  async (tx, { contractId, milestones, agreements = {} }: EventBody<'contract.milestones-agreed'>) => {
    const { workspaceId } = tx;
    const ids = milestones.map(({ milestoneId }) => milestoneId);
    const here = await tx.em.find(MilestoneTable, { workspaceId, id: { $in: ids } });
    const known = new Map(here.map((milestone) => [milestone.id, milestone]));
    for (const agreed of milestones) {
      const milestone = known.get(agreed.milestoneId);
      const agreement = agreements[agreed.milestoneId] ?? 0;
      if (milestone) agreeAnew(tx, milestone, agreed, agreement);
      else create(tx, contractId, agreed, agreement);
    }
  },
);

function create(tx: CommandTransaction, contractId: string, agreed: Agreed, agreement: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  createMilestone(tx, { id, contractId, ...details, agreement, ...amount });
  tx.audit('milestone.agreed', id, { contractId, amount });
}

function agreeAnew(tx: CommandTransaction, milestone: MilestoneEntity, agreed: Agreed, agreement: number): void {
  const { milestoneId: id, amount, ...details } = agreed;
  if (agreement <= milestone.agreement || milestone.paymentId !== null) return;
  Object.assign(milestone, { ...details, agreement, ...amount });
  touch(tx, milestone);
  tx.audit('milestone.agreed-anew', id, { ...details, amount });
}

type PaymentNews = EventBody<Extract<EventType, `payment.${string}`>>;

/** Follows the payment of approved work. Events may come out of order and more than once: the sequence decides. */
export const applyPaymentStatus = defineCommand('payment-status.apply', SYSTEM_ONLY, async (tx, news: PaymentNews) => {
  if (news.sourceType === 'timesheet') await followTimesheetPayment(tx, news);
  else await followMilestonePayment(tx, news);
});

async function followTimesheetPayment({ em, workspaceId }: CommandTransaction, news: PaymentNews): Promise<void> {
  const timesheet = await em.findOne(TimesheetTable, { workspaceId, id: news.sourceId });
  if (!timesheet || !isNews(timesheet, news)) return;
  // Not the timesheet's own state but the payment's, which has an `updatedAt` of its own: here none moves.
  timesheet.paymentStatus = news.status;
  timesheet.paymentSequence = news.sequence;
}

async function followMilestonePayment(tx: CommandTransaction, news: PaymentNews): Promise<void> {
  const milestone = await tx.em.findOne(MilestoneTable, { workspaceId: tx.workspaceId, id: news.sourceId });
  if (!milestone || !isNews(milestone, news)) return;
  milestone.paymentSequence = news.sequence;
  const from = milestone.status;
  const to = milestoneAfterPayment(from, news.status);
  if (to === from) return;
  milestone.status = to;
  touch(tx, milestone);
  tx.audit('milestone.payment-followed', milestone.id, { status: { from, to }, payment: news.status });
}

function isNews(work: { paymentId: string | null; paymentSequence: number }, news: PaymentNews): boolean {
  return work.paymentId === news.paymentId && work.paymentSequence < news.sequence;
}
