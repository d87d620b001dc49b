import { capped } from '@payroll/pages';
import { dayText, MILESTONE_STATUSES, periodText, TIMESHEET_STATUSES, type WordsFor } from '../../words.js';
import type { ReviewStep } from './operations.js';

export const KINDS: WordsFor<'WorkKind'> = { timesheet: 'Timesheet', milestone: 'Milestone' };

export const KIND_FILTER = { '': 'All work', timesheet: 'Timesheets', milestone: 'Milestones' };

export const GROUP_FILTER = { '': 'Nothing', worker: 'Worker', contract: 'Contract' };

export const STATUSES = { timesheet: TIMESHEET_STATUSES, milestone: MILESTONE_STATUSES };

const STEPS: WordsFor<'ReviewStepKind'> = {
  submitted: 'Submitted',
  resubmitted: 'Submitted again',
  terms_changed: 'Recalculated: the terms of the contract changed',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const stepText = ({ step }: ReviewStep): string => STEPS[step];

const RULES: Readonly<Record<string, string>> = {
  timesheetApprovalRequired: 'The contract, which asks for no approval',
  autoApproveAfterDays: 'The contract, which approves after some days',
};

const OTHERS: Readonly<Record<string, string>> = { staff: 'Our staff', service: 'API', system: 'System' };

/** The actor's name as members of the workspace know it. */
export function byText({ actorKind, by, rule }: Pick<ReviewStep, 'actorKind' | 'by' | 'rule'>): string {
  if (rule !== null) return RULES[rule] ?? 'A rule of the contract';
  if (by) return by.name === null ? by.memberName : `${by.name}, for ${by.memberName}`;
  return OTHERS[actorKind] ?? 'Somebody outside the workspace';
}

interface Described {
  title: string | null;
  periodStart: string | null;
  periodEnd: string | null;
}

/** The name of a piece of work in a list. */
export function workText({ title, periodStart, periodEnd }: Described): string {
  if (title !== null) return title;
  return periodStart === null || periodEnd === null ? 'Timesheet' : periodText(periodStart, periodEnd);
}

/** "Approved by Ada", as far as the history says who it was. */
export function decisionText(status: string, reviews: readonly ReviewStep[]): string {
  const decision = reviews.find(({ step }) => step === 'approved' || step === 'rejected');
  return `${status === 'rejected' ? 'Rejected' : 'Approved'}${decision ? ` by ${byText(decision)}` : ''}`;
}

interface Payable {
  /** Null when the payment is due on approval. */
  paymentScheduledDate: string | null;
  autoPayEnabled: boolean;
}

/** Whether its payout is attempted as soon as it is approved. */
export function isPaidAtOnce({ paymentScheduledDate: day, autoPayEnabled }: Payable, today: string): boolean {
  return autoPayEnabled && (day === null || day <= today);
}

export const FAILS_WITHOUT_DETAILS =
  'A payout fails while its worker has no verified payout details. You can try it again once they are verified.';

/** When an approval is paid, in a sentence. */
export function paidText(work: Payable, today: string): string {
  if (!work.autoPayEnabled) return 'An admin has to start its payout.';
  if (isPaidAtOnce(work, today)) return 'Its payout is attempted at once.';
  return `Its payout is attempted on the day it is due, ${dayText(work.paymentScheduledDate!)}.`;
}

/** The same in a table. */
export function paidWhen(work: Payable, today: string): string {
  if (isPaidAtOnce(work, today)) return 'At once';
  const day = work.paymentScheduledDate === null ? '' : dayText(work.paymentScheduledDate);
  return work.autoPayEnabled ? day : `By an admin, due ${day}`;
}

/** "1 piece of work", "3 pieces of work". */
export function pieces(count: number): string {
  return count === 1 ? '1 piece of work' : `${count} pieces of work`;
}

/** How much waits in the queue, or in its part of one kind. */
export function waitingText(count: number, kind: '' | keyof typeof KINDS): string {
  if (count === 0) return kind === '' ? 'Nothing to review.' : `${noneText(kind)}.`;
  return `${capped(count)} ${count === 1 ? 'piece of work waits' : 'pieces of work wait'} for a review.`;
}

export function noneText(kind: '' | keyof typeof KINDS): string {
  return `${kind === '' ? 'Nothing' : `No ${kind}`} waits for a review`;
}
