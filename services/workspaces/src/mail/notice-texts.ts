import type { Instant } from '@payroll/kernel';
import { workPath } from '@payroll/pages';
import { UNDO_DAYS, CLOSING_DAYS } from '../domain/account.js';
import type { KindFor } from '../domain/notice.js';
import type { Mail } from './mailer.js';
import type { FoundNotice } from './outbox.js';

// Mails travel unencrypted, and others may read over a shoulder: they name no other person, no reason, no amount and no
// account number. The page has all of that.

interface AccountText {
  subject: string;
  paragraphs: readonly string[];
}

interface AccountNews {
  workspaceName: string;
  at: string;
  /** How often it happened; only of new browsers more than once. */
  count: number;
  lastAt: string;
  /** Stops what the mail is about. */
  stopLink: string;
  /** Until when a change of payout details can be stopped; null if it is too late. */
  until: string | null;
}

const NOT_YOU =
  'If it was not you, set a new password at once with “Forgot your password?” on the sign-in page, and tell the admins of your workspace.';

const ACCOUNT_TEXTS: Record<KindFor<'account'>, (about: AccountNews) => AccountText> = {
  password_changed: ({ at }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at Payroll was changed on ${at}. You were signed out everywhere, and the assistants that acted for you are disconnected. API keys that you created stay valid.`,
      'If you did not change it, set a new password at once with “Forgot your password?” on the sign-in page, and tell the admins of your workspace.',
    ],
  }),
  new_browser: ({ at, count, lastAt }) => ({
    subject: 'Your account was signed in to in a new browser',
    paragraphs: [
      count === 1
        ? `Somebody signed in to your account at Payroll on ${at}, with your password, in a browser that had not been used for it before.`
        : `Your account at Payroll was signed in to ${count} times, with your password, in browsers that had not been used for it before: first on ${at}, last on ${lastAt}.`,
      'If it was not you, set a new password at once with “Forgot your password?” on the sign-in page: that signs everybody out.',
    ],
  }),
  second_factor_set: ({ at }) => ({
    subject: 'Your second factor was set up',
    paragraphs: [
      `A second factor was set up for your account at Payroll on ${at}. It signed out all other browsers.`,
      NOT_YOU,
    ],
  }),
  second_factor_removed: ({ at }) => ({
    subject: 'Your second factor was removed',
    paragraphs: [`The second factor of your account at Payroll was removed on ${at}.`, NOT_YOU],
  }),
  recovery_code_used: ({ at }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `A recovery code of your account at Payroll was used on ${at}, in place of a code of your authenticator app.`,
      NOT_YOU,
    ],
  }),
  access_ended: ({ workspaceName, at }) => ({
    subject: `Your access to ${workspaceName} has ended`,
    paragraphs: [
      `Since ${at} you can no longer sign in to ${workspaceName} at Payroll as its worker. Contracts that you signed, and payments that you are owed, stay as they are.`,
      'If you did not expect this, ask the business.',
    ],
  }),
  address_changed: ({ at, stopLink }) => ({
    subject: 'The email address of your account was changed',
    paragraphs: [
      `Since ${at} your account at Payroll has another email address, and no longer this one.`,
      `If it was not you, take your account back within ${UNDO_DAYS} days with the button on this page. It restores this address, signs everybody out, and mails you a link for a new password:`,
      stopLink,
    ],
  }),
  address_restored: ({ at }) => ({
    subject: 'The email address of your account was changed back',
    paragraphs: [
      `On ${at} an earlier email address of your account at Payroll was restored. This address is no longer the account’s.`,
      'If you do not expect this, tell the admins of your workspace and whoever runs this service.',
    ],
  }),
  closing_requested: ({ at, stopLink }) => ({
    subject: 'Your account will be closed',
    paragraphs: [
      `On ${at} somebody who was signed in asked for your account at Payroll to be closed. That happens after ${CLOSING_DAYS} days. Until then you can sign in as before.`,
      'Keep it with the button on this page, and change your password if it was not you:',
      stopLink,
    ],
  }),
  closing_called_off: ({ at }) => ({
    subject: 'Your account was not closed',
    paragraphs: [
      `Your account at Payroll was due to be closed on ${at}. By then you were the only admin of a workspace, so it stays open.`,
      'To close it, make somebody else an admin there, and ask again under “Your account”.',
    ],
  }),
  payout_details_changed: ({ workspaceName, at, stopLink, until }) => ({
    subject: 'Your payout details were changed',
    paragraphs: [
      `The details with which ${workspaceName} pays you at Payroll were changed on ${at}.`,
      ...(until === null
        ? [NOT_YOU]
        : [
            `Nothing is paid to the new ones before ${until}. If you did not change them, stop it before then, with the button on this page:`,
            stopLink,
            'If it was you, you need not do anything.',
          ]),
    ],
  }),
  password_removed: ({ at }) => ({
    subject: 'Your password no longer works',
    paragraphs: [
      `On ${at} the link was used with which you stop a change of your payout details. Your account at Payroll was signed out everywhere, the assistants that acted for you are disconnected, and your password no longer works. API keys that you created stay valid.`,
      'Set a new password with “Forgot your password?” on the sign-in page. Then look at your payout details.',
    ],
  }),
};

/** A line for one of a kind, and for several. */
type Lines = readonly [one: string, several: (count: number) => string];

const WORKER_LINES: Record<KindFor<'worker'>, Lines> = {
  contract_to_sign: [
    'A contract, or a change of one, was sent to you to read and sign.',
    (count) => `${count} contracts or changes of them were sent to you to read and sign.`,
  ],
  contract_ended: [
    'A contract of yours was ended or cancelled, or its last day was set.',
    (count) => `Contracts of yours were ended or cancelled, or their last days were set, ${count} times.`,
  ],
  work_sent_back: [
    'Work of yours was sent back, to be corrected.',
    (count) => `Work of yours was sent back ${count} times, to be corrected.`,
  ],
  paid: ['A payment to you was made.', (count) => `${count} payments to you were made.`],
  payout_details_needed: [
    'A payment to you failed, because your payout details are missing, not verified, or refused by the bank.',
    (count) =>
      `${count} payments to you failed, because your payout details are missing, not verified, or refused by the bank.`,
  ],
};

const ADMIN_LINES: Record<KindFor<'admins'>, Lines> = {
  changes_asked: [
    'A worker asked for changes to a contract instead of signing it.',
    (count) => `Workers asked for changes to contracts ${count} times, instead of signing them.`,
  ],
  work_waiting: ['Work was handed in for review.', (count) => `Work was handed in for review ${count} times.`],
  payment_failed: ['A payment failed.', (count) => `${count} payments failed.`],
  payout_change_stopped: [
    'A worker stopped a change of their payout details, which somebody else may have made.',
    (count) => `Workers stopped changes of their payout details ${count} times, which others may have made.`,
  ],
};

/** Null if the recipient has lost the standing in the workspace that the notices are for, or their account. */
export function mailOf(notices: readonly FoundNotice[], origin: string, stopLink = ''): Mail | null {
  const [first] = notices;
  if (first === undefined || first.email === null) return null;
  const { email, workspaceId } = first;
  if (workspaceId !== null) return workspaceMail(notices, { ...first, email, workspaceId, origin });
  const { subject, paragraphs } = ACCOUNT_TEXTS[first.kind as KindFor<'account'>]({
    workspaceName: first.workspaceName ?? 'the business',
    at: timeText(first.createdAt),
    count: notices.length,
    lastAt: timeText(notices.at(-1)!.createdAt),
    stopLink,
    until: first.until && timeText(first.until),
  });
  return { to: email, subject, text: paragraphs.join('\n\n') };
}

const timeText = (at: Instant): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

/** `id` is that of the mail. */
interface Place extends Pick<FoundNotice, 'id' | 'workspaceName' | 'isWorker' | 'isAdmin'> {
  origin: string;
  workspaceId: string;
  email: string;
}

function workspaceMail(notices: readonly FoundNotice[], place: Place): Mail | null {
  const { isWorker, isAdmin, email, workspaceId, origin } = place;
  const lines = linesOf(notices, { ...(isWorker && WORKER_LINES), ...(isAdmin && ADMIN_LINES) });
  const [only, ...others] = lines;
  if (only === undefined) return null;
  const name = place.workspaceName ?? 'Payroll';
  const path = isWorker ? workPath(workspaceId) : `/workspaces/${workspaceId}`;
  const links = [`Sign in to see it: ${origin}${path}`, `Choose what is mailed to you: ${origin}/account/mail`];
  return {
    to: email,
    subject: others.length > 0 ? `News from ${name}` : `${name}: ${only.replace(/\.$/, '')}`,
    text: [`At ${name}:`, ...lines, ...links].join('\n\n'),
    stopUrl: `${origin}/mail/stop/${place.id}`,
  };
}

/** A line for each kind that is for the reader, in the order in which they first happened. */
function linesOf(notices: readonly FoundNotice[], shown: Partial<Record<string, Lines>>): string[] {
  const byKind = Map.groupBy(notices, ({ kind }) => kind);
  return [...byKind].flatMap(([kind, { length }]) => {
    const lines = shown[kind];
    if (lines === undefined) return [];
    return [length === 1 ? lines[0] : lines[1](length)];
  });
}
