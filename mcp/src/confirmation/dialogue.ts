import type { CalendarDate } from '@payroll/kernel';
import type { ContractDetail, ContractDraft, draftBasics, Milestone, Timesheet } from '@payroll/public-api';
import type { Caller } from '../caller.js';

export type Action = 'approve' | 'reject';

export interface Reviewed {
  action: Action;
  caller: Caller;
  contract: ContractDetail;
  /** In UTC, as due dates are. */
  today: CalendarDate;
  /** Empty but for a rejection. */
  reason: string;
  /** Where a person sees it, and can decide about it, in the application. */
  page: string;
}

const NOT_KNOWN = 'not set';

/** The facts a person must see before work is paid or sent back (public-api.md §4). */
export function timesheetDialogue(reviewed: Reviewed, timesheet: Timesheet): string {
  const { action, today } = reviewed;
  const { autoPayEnabled, paymentScheduledDate: date } = timesheet;
  const isPast = date < today;
  const autoPay = autoPayEnabled
    ? `on: it will be paid ${isPast ? 'today' : 'on the payment date'}, with no further step`
    : 'off: someone has to start the payout';
  return dialogue(reviewed, 'timesheet', [
    ['Work period', `${timesheet.periodStart} to ${timesheet.periodEnd}`],
    ['Units worked', `${timesheet.unitsWorked} at ${moneyOf(timesheet.rate)}`],
    ['Amount', moneyOf(timesheet.total)],
    ['Payment date', action === 'approve' && isPast ? `${date} (past, so due today)` : date],
    ['Automatic payment', action === 'approve' ? autoPay : null],
  ]);
}

export function milestoneDialogue(reviewed: Reviewed, milestone: Milestone): string {
  const { action, today } = reviewed;
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
  { action, caller, contract, reason, page }: Reviewed,
  what: string,
  facts: readonly (readonly [string, string | null])[],
): string {
  const question =
    action === 'approve'
      ? `Approve this ${what} and create its payment?`
      : `Reject this ${what}? No payment will be made.`;
  const { worker, title } = contract;
  const end = endOf(contract);
  const shown = factsOf([
    ['Workspace', quoted(caller.workspaceName)],
    ['Worker', worker.name === null ? NOT_KNOWN : quoted(worker.name)],
    ['Contract', end === null ? quoted(title) : `${quoted(title)} (${end})`],
    ...facts,
    ['Reason', action === 'reject' ? quoted(reason, 2000) : null],
    ['In the application', page],
  ]);
  return `${question}\n\n${shown}`;
}

/** Work of a contract that is over can still be paid, so the person reads that it is. */
function endOf({ status, deletedAt }: ContractDetail): string | null {
  if (deletedAt !== null) return 'deleted';
  return status === 'cancelled' || status === 'completed' ? status : null;
}

export type DraftBasics = Pick<ContractDraft, keyof typeof draftBasics>;

/** Shows everything that the model filled in, since the person is responsible for it. */
export function draftDialogue({ workspaceName }: Caller, draft: DraftBasics): string {
  const optional = (text: string | undefined, most?: number) => (text === undefined ? null : quoted(text, most));
  const facts = factsOf([
    ['Workspace', quoted(workspaceName)],
    ['Title', quoted(draft.title)],
    ['Worker’s email', optional(draft.professionalEmail)],
    ['Employment type', draft.employmentType],
    ['Contract type', draft.contractType],
    ['Country of employment', optional(draft.countryOfEmployment)],
    ['Start date', draft.startDate],
    ['End date', draft.endDate],
    ['External reference', optional(draft.externalReference)],
    ['Description', optional(draft.description, 10_000)],
  ]);
  return `Create this contract draft? It will be completed and signed in the application; nothing is signed now.\n\n${facts}`;
}

/** The longest allowed title, so that none is cut: the cut part could matter. */
const MAX_CHARACTERS = 254;

/**
 * Untrusted text that cannot pass for a part of the dialogue: one line without invisible or direction-changing
 * characters, which could move a part of it to a line of its own, in quotation marks that it cannot close, and with nothing that a
 * host would render. `most` is of the text as it was sent: making it safe can lengthen it.
 */
export function quoted(text: string, most = MAX_CHARACTERS): string {
  const characters = [...text];
  const line = characters
    .slice(0, most)
    .join('')
    .normalize('NFC')
    // U+2800 is a symbol, of no ink.
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\s\u2800]+/gu, ' ')
    .trim()
    // Also letters and signs that look like one. Two single ones in a row look like a double one.
    .replaceAll(/[\p{Quotation_Mark}❛-❞`´ʹ-ʼˊˋ˝ˮ׳״′-‷⁗]+/gu, '’')
    // A host that renders Markdown shows &rdquo; as the mark itself.
    .replaceAll(/&(?=#?\w+;)/g, '& ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('](', '] (');
  return `“${line}${characters.length > most ? '…' : ''}”`;
}

export function factsOf(facts: readonly (readonly [label: string, value: string | null | undefined])[]): string {
  return facts
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([label, value]) => `${label}: ${value}`)
    .join('\n');
}

/** The API's own digits with the currency: never formatted, never rounded. */
function moneyOf({ amount, currency }: { amount: string; currency: string }): string {
  return `${amount} ${currency}`;
}
