import type { Instant } from '@payroll/kernel';
import { workPath } from '@payroll/pages';
import type { KindFor } from '../domain/notice.js';
import type { Mail } from './mailer.js';
import type { FoundNotice } from './outbox.js';

// Mails travel unencrypted, and others may read over a shoulder: they name no other person, no reason, no amount and no
// account number. The page has all of that.

interface AccountText {
  subject: string;
  paragraphs: readonly string[];
}

const NOT_YOU =
  'If it was not you, set a new password at once with “Forgot your password?” on the sign-in page, and tell the admins of your workspace.';

interface About {
  workspaceName: string;
  at: string;
  /** How a change of payout details can be stopped; null if it is too late. */
  stop: { link: string; until: string } | null;
}

const ACCOUNT_TEXTS: Record<KindFor<'account'>, (about: About) => AccountText> = {
  password_changed: ({ at }) => ({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account at Payroll was changed on ${at}. You were signed out everywhere, and the assistants that acted for you are disconnected. API keys that you created stay valid.`,
      'If you did not change it, set a new password at once with “Forgot your password?” on the sign-in page, and tell the admins of your workspace.',
    ],
  }),
  new_browser: ({ at }) => ({
    subject: 'Your account was signed in to in a new browser',
    paragraphs: [
      `Somebody signed in to your account at Payroll on ${at}, with your password, in a browser that had not been used for it before.`,
      'If it was not you, set a new password at once with “Forgot your password?” on the sign-in page: that signs everybody out.',
    ],
  }),
  second_factor_set: ({ at }) => ({
    subject: 'Your second factor was set up',
    paragraphs: [`A second factor was set up for your account at Payroll on ${at}.`, NOT_YOU],
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
  payout_details_changed: ({ workspaceName, at, stop }) => ({
    subject: 'Your payout details were changed',
    paragraphs: [
      `The details with which ${workspaceName} pays you at Payroll were changed on ${at}.`,
      ...(stop === null
        ? [NOT_YOU]
        : [
            `Nothing is paid to the new ones before ${stop.until}. If you did not change them, stop it before then, with the button on this page:`,
            stop.link,
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
    'A contract, or a change of one, waits for you to read and sign it.',
    (count) => `${count} contracts or changes of them wait for you to read and sign them.`,
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

interface Links {
  origin: string;
  /** For the link that stops a change of payout details; null in other mails. */
  secret: string | null;
}

/** Null if the recipient has lost the standing in the workspace that the notices are for. */
export function mailOf(notices: readonly FoundNotice[], links: Links): Mail | null {
  const [first] = notices;
  if (first === undefined) return null;
  return first.workspaceId === null
    ? accountMail(first as FoundNotice & { kind: KindFor<'account'> }, links)
    : workspaceMail(notices, { ...first, workspaceId: first.workspaceId, origin: links.origin });
}

function accountMail(
  { kind, email, workspaceName, createdAt, until }: FoundNotice & { kind: KindFor<'account'> },
  { origin, secret }: Links,
): Mail {
  const stop = secret && until && { link: `${origin}/payout-details/stop/${secret}`, until: timeText(until) };
  const about = { workspaceName: workspaceName ?? 'the business', at: timeText(createdAt), stop: stop || null };
  const { subject, paragraphs } = ACCOUNT_TEXTS[kind](about);
  return { to: email, subject, text: paragraphs.join('\n\n') };
}

const timeText = (at: Instant): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;

interface Place {
  /** The id of the mail. */
  id: string;
  origin: string;
  workspaceId: string;
  workspaceName: string | null;
  isWorker: boolean;
  isAdmin: boolean;
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
