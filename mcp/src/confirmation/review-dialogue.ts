import type { CalendarDate } from '@payroll/kernel';
import type { ContractDetail, Milestone, Timesheet } from '@payroll/public-api';
import type { Caller } from '../caller.js';
import { factsOf, moneyOf, quoted } from './show.js';

interface Reviewed {
  action: 'approve' | 'reject';
  caller: Caller;
  contract: ContractDetail;
  /** In UTC, by which payments are due. */
  today: CalendarDate;
  /** Of a rejection. */
  reason: string;
}

const NOT_KNOWN = 'not set';

/** What a person must see before work is paid or sent back (public-api.md §4). */
export function timesheetDialogue(reviewed: Reviewed & { timesheet: Timesheet }): string {
  const { action, timesheet, today } = reviewed;
  const { autoPayEnabled, paymentScheduledDate: date } = timesheet;
  const autoPay = autoPayEnabled
    ? 'on: it will be paid on the payment date, with no further step'
    : 'off: someone has to start the payout';
  return dialogue(reviewed, 'timesheet', [
    ['Work period', `${timesheet.periodStart} to ${timesheet.periodEnd}`],
    ['Units worked', `${timesheet.unitsWorked} at ${moneyOf(timesheet.rate)}`],
    ['Amount', moneyOf(timesheet.total)],
    ['Payment date', action === 'approve' && date < today ? `${date} (past, so due today)` : date],
    ['Automatic payment', action === 'approve' ? autoPay : null],
  ]);
}

export function milestoneDialogue(reviewed: Reviewed & { milestone: Milestone }): string {
  const { action, milestone, today } = reviewed;
  const isApproval = action === 'approve';
  return dialogue(reviewed, 'milestone', [
    ['Milestone', quoted(milestone.title)],
    ['Amount', moneyOf(milestone.amount)],
    ['Due date', milestone.dueDate],
    ['Payment date', isApproval ? `${today} (today, UTC)` : 'none (nothing will be paid)'],
    ['Processing', isApproval ? 'the payment will be processed immediately' : null],
  ]);
}

function dialogue(
  { action, caller, contract, reason }: Reviewed,
  what: string,
  facts: readonly (readonly [string, string | null])[],
): string {
  const question =
    action === 'approve'
      ? `Approve this ${what} and create its payment?`
      : `Reject this ${what}? No payment will be made.`;
  const { worker, title } = contract;
  const shown = factsOf([
    ['Workspace', quoted(caller.workspaceName)],
    ['Worker', worker.name === null ? NOT_KNOWN : quoted(worker.name)],
    ['Contract', quoted(title)],
    ...facts,
    ['Reason', action === 'reject' ? quoted(reason, 2000) : null],
  ]);
  return `${question}\n\n${shown}`;
}
