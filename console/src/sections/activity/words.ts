import { CONTRACT_TYPES, dayText, moneyText } from '../../words.js';
import { FAILURES, PAYOUT_METHODS } from '../payments/words.js';
import type { Subject } from './subjects.js';
import type { Entry } from './trails.js';

/**
 * The words for each action. Every action that a service shows must be listed. `{of}` and `{to}` put the worker's name there where
 * it is known, `{worker}` the name or "the worker".
 */
export const ACTION_LABELS: Readonly<Record<string, string>> = {
  'contract.draft-created': 'Drafted a contract {of}',
  'contract.draft-updated': 'Changed the draft {of}',
  'contract.worker-assigned': 'Chose {worker}',
  'contract.submitted-for-verification': 'Submitted the contract {of} for verification',
  'contract.verified': 'Verified the contract {of}',
  'contract.returned-to-draft': 'Sent the contract {of} back to draft',
  'contract.signatures-requested': 'Asked for signatures',
  'contract.signed': 'Signed the contract {of}',
  'contract.changes-asked': 'Asked for changes to the contract {of}',
  'contract.activated': 'Activated the contract {of}',
  'contract.terms-changed': 'Changed the terms {of}',
  'contract.terms-proposed': 'Proposed new terms to {worker}',
  'contract.amendment-withdrawn': 'Withdrew the proposed terms {of}',
  'contract.offboarding-started': 'Set the end of the contract {of}',
  'contract.completed': 'Completed the contract {of}',
  'contract.cancelled': 'Cancelled the contract {of}',
  'contract.deleted': 'Deleted the contract {of}',
  'worker.registered': 'Added a worker',
  'worker.updated': 'Changed the worker',
  'timesheet.submitted': 'Submitted a timesheet {of}',
  'timesheet.resubmitted': 'Submitted the timesheet {of} again',
  'timesheet.terms-changed': 'Recalculated the timesheet {of}',
  'timesheet.approved': 'Approved the timesheet {of}',
  'timesheet.rejected': 'Rejected the timesheet {of}',
  'milestone.added': 'Added a milestone {of}',
  'milestone.updated': 'Changed the milestone {of}',
  'milestone.submitted': 'Submitted a milestone {of}',
  'milestone.resubmitted': 'Submitted the milestone {of} again',
  'milestone.approved': 'Approved the milestone {of}',
  'milestone.rejected': 'Rejected the milestone {of}',
  'payment.created': 'Created a payment {to}',
  'payment.processing': 'Began the payment {to}',
  'payment.completed': 'Paid {worker}',
  'payment.failed': 'Could not pay {worker}',
  'payment.cancelled': 'Cancelled the payment {to}',
  'payment.retried': 'Tried the payment {to} again',
  'payment.made-due': 'Made the payment {to} due',
  'calendar.moved': 'Moved the calendar of the sandbox',
  'deduction.added': 'Added a deduction',
  'deduction.removed': 'Removed a deduction',
  'workspace.funded': 'Received money',
  'payee.registered': 'Added payout details',
  'payee.changed': 'Changed payout details',
  'payee.verified': 'Verified payout details',
  'payee.rejected': 'Rejected payout details',
  'payee.change-stopped': 'Stopped a change of payout details',
  'payee.doubted': 'Held payout details, because the access of the worker was ended',
  'workspace.provisioned': 'Opened the workspace',
  'business.updated': 'Changed the business',
  'business.verification-changed': 'Changed the verification of the business',
  'business.switches-set': 'Switched the API',
  'business.second-factor-required': 'Decided whether admins need a second factor',
  'member.invited': 'Invited somebody',
  'invitation.accepted': 'Accepted the invitation',
  'invitation.revoked': 'Withdrew the invitation',
  'worker-access.invited': 'Invited the worker to sign in',
  'worker-access.joined': 'Began to sign in as the worker',
  'worker-access.ended': 'Ended the access of the worker',
  'member.added': 'Added a member',
  'member.role-changed': 'Changed a role',
  'member.left': 'Ended a membership',
  'api-key.created': 'Created an API key',
  'api-key.rotated': 'Rotated an API key',
  'api-key.revoked': 'Revoked an API key',
  'mcp-connection.connected': 'Connected an assistant',
  'mcp-connection.revoked': 'Disconnected an assistant',
  'mcp-connection.expired': 'Noted that the sign-in of an assistant has expired',
};

/** "Approved the timesheet of Mila Moreau, 3 – 9 Nov 2026"; the action alone if its subject is not known. */
export function actionText(action: string, { worker, what }: Subject = { worker: null, what: null }): string {
  const label = ACTION_LABELS[action] ?? action;
  const named = label.replace(/\{worker\}| \{(of|to)\}/, (_, link?: string) => {
    if (link === undefined) return worker ?? 'the worker';
    return worker === null ? '' : ` ${link} ${worker}`;
  });
  return [named, !label.includes('{') && worker, what].filter(Boolean).join(', ');
}

const FACTS: Readonly<Record<string, string>> = {
  title: 'Title',
  startDate: 'Starts',
  endDate: 'Ends',
  contractType: 'Type',
  side: 'For',
  rate: 'Rate',
  paymentDueDays: 'Days until payment',
  autoPayEnabled: 'Paid automatically',
  timesheetApprovalRequired: 'Timesheets need approval',
  autoApproveAfterDays: 'Approved automatically after days',
  daysAhead: 'Days ahead',
  terminationDate: 'Terminated on',
  reason: 'Reason',
  name: 'Name',
  email: 'Email address',
  total: 'Total',
  amount: 'Amount',
  dueDate: 'Due',
  scheduledDate: 'Pay date',
  gross: 'Amount',
  net: 'The worker gets',
  failureReason: 'Why',
  payoutMethod: 'By',
  country: 'Country',
  kybStatus: 'Status',
  integrationEnabled: 'API',
  writesEnabled: 'Writes',
  secondFactorRequired: 'Second factor required of admins',
  role: 'Role',
  scopes: 'Scopes',
  expiresAt: 'Until',
};

const YES_OR_NO: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };
const SWITCHED: Readonly<Record<string, string>> = { true: 'on', false: 'off' };
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contractType: CONTRACT_TYPES,
  side: { business: 'the business', worker: 'the worker' },
  payoutMethod: PAYOUT_METHODS,
  failureReason: Object.fromEntries(Object.entries(FAILURES).map(([reason, { short }]) => [reason, short])),
  autoPayEnabled: SWITCHED,
  integrationEnabled: SWITCHED,
  writesEnabled: SWITCHED,
  secondFactorRequired: YES_OR_NO,
  timesheetApprovalRequired: YES_OR_NO,
  kybStatus: { not_started: 'not started', pending: 'pending', verified: 'verified', rejected: 'rejected' },
};

/** Fields with an amount; the currency is in the value or in the field beside it. */
const AMOUNTS: ReadonlySet<string> = new Set(['total', 'amount', 'gross', 'net']);

/** Fields with a day or a moment. People also write titles and names that begin like one. */
const DAYS: ReadonlySet<string> = new Set([
  ...['startDate', 'endDate', 'terminationDate', 'dueDate', 'scheduledDate', 'expiresAt'],
]);

function valueText(name: string, value: string, currencyBeside: string | null): string {
  const [amount = '', currency = currencyBeside] = value.split(' ');
  if (AMOUNTS.has(name) && currency !== null) return moneyText({ amount, currency });
  if (DAYS.has(name)) return dayText(value.slice(0, 10));
  return VALUES[name]?.[value] ?? value;
}

/** "Role: member → admin"; an amount stands with its currency, and is read easily. */
export function factTexts({ facts }: Pick<Entry, 'facts'>): string[] {
  const currency = facts.find(({ name }) => name === 'currency')?.to ?? null;
  const told = facts.filter(({ name }) => name !== 'currency');
  return told.map(({ name, from, to }) => {
    const textOf = (value: string | null): string => (value === null ? 'nothing' : valueText(name, value, currency));
    return `${FACTS[name] ?? name}: ${from === null ? '' : `${textOf(from)} → `}${textOf(to)}`;
  });
}

const PAGES: Readonly<Record<string, string>> = {
  contract: 'contracts',
  worker: 'workers',
  timesheet: 'review/timesheet',
  milestone: 'review/milestone',
  payment: 'payments',
  deduction: 'payments',
};

/** The page of what it was done to; null where that has none. */
export function subjectPath(home: string, { action, subjectId }: Pick<Entry, 'action' | 'subjectId'>): string | null {
  const page = PAGES[action.split('.', 1)[0]!];
  return page === undefined ? null : `${home}/${page}/${subjectId}`;
}
