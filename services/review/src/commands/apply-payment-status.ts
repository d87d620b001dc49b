import type { EventBody, EventType } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { milestoneAfterPayment } from '../domain/milestone.js';
import { MilestoneTable, TimesheetTable } from '../store/tables.js';
import { touch } from './find-work.js';

type PaymentNews = EventBody<Extract<EventType, `payment.${string}`>>;

/** Follows the payment of approved work. Events may come out of order and more than once: the sequence decides. */
export const applyPaymentStatus = defineCommand(
  'payment-status.apply',
  SYSTEM_ONLY,
  async (tx, news: PaymentNews): Promise<void> => {
    if (news.sourceType === 'timesheet') await followTimesheetPayment(tx, news);
    else await followMilestonePayment(tx, news);
  },
);

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
