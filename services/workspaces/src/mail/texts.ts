import { type Role, withArticle } from '@payroll/kernel';
import type { Mail } from './mailer.js';

interface ResetLink {
  workspaces: readonly string[];
  link: string;
}

/** One mail for all accounts of the address; it may have several (ADR 19). */
export function resetMail(to: string, links: readonly ResetLink[]): Mail {
  const lines = links.map(({ workspaces, link }) =>
    links.length === 1 ? link : `For ${workspaces.join(', ') || 'the account without a workspace'}:\n${link}`,
  );
  const text = [
    'We received a request for a new password for your account at Payroll. If you made it, choose the password here within half an hour:',
    ...lines,
    'If you did not request this, ignore this mail. Your password stays the same.',
  ];
  return { to, subject: 'Choose a new password', text: text.join('\n\n') };
}

/** For an address that was restored: the password that was there then has ended. */
export function restoredMail(to: string, link: string): Mail {
  const text = [
    'This is the email address of your account at Payroll again. The password that the account had has ended. Choose a new one here within half an hour:',
    link,
    'If the half hour is over, use “Forgot your password?” on the sign-in page.',
  ];
  return { to, subject: 'Choose a new password', text: text.join('\n\n') };
}

type InvitedWorker = Pick<Invited, 'workspaceName' | 'invitedBy' | 'link'>;

/** Leaves out the worker's name, as an invitation does. */
export function workerInvitationMail(to: string, { workspaceName, invitedBy, link }: InvitedWorker): Mail {
  const invited = invitedBy ? `${invitedBy.name} (${invitedBy.email}) invites you` : 'You are invited';
  const text = [
    `${invited} to work with ${workspaceName} at Payroll: to read and sign contracts, submit your work and see your payments. Choose how you sign in here, within a week:`,
    link,
    'Only you get this link. If you did not expect it, ignore this mail.',
  ];
  return { to, subject: `Your work with ${workspaceName}`, text: text.join('\n\n') };
}

/** To the new address. The link works only for the person who requested it. */
export function newAddressMail(to: string, link: string): Mail {
  const text = [
    'Somebody asked for this address to become the one of their account at Payroll. If it was you, open this page within a day, in a browser in which you can sign in to the account, and confirm it there:',
    link,
    'If it was not you, ignore this mail.',
  ];
  return { to, subject: 'Confirm your new email address', text: text.join('\n\n') };
}

export function secondFactorResetMail(to: string, link: string): Mail {
  const text = [
    'The operator of Payroll was asked to remove the second factor of your account, because it is lost. It will be removed in 24 hours. After that your password alone signs you in, and you can set up a new one.',
    'If you did not ask for this, keep it with the button on this page, and change your password:',
    link,
  ];
  return { to, subject: 'Your second factor will be removed', text: text.join('\n\n') };
}

interface Invited {
  workspaceName: string;
  /** Null if it was not a member who invited. */
  invitedBy: { name: string; email: string } | null;
  role: Role;
  link: string;
}

/** Leaves out the invitee's name: an admin typed it, and it would become text of this mail. */
export function invitationMail(to: string, { workspaceName, invitedBy, role, link }: Invited): Mail {
  const invited = invitedBy ? `${invitedBy.name} (${invitedBy.email}) invites you` : 'You are invited';
  const text = [
    `${invited} to join ${workspaceName} at Payroll as ${withArticle(role)}. Accept the invitation here, within a week:`,
    link,
    'If you did not expect this invitation, ignore this mail.',
  ];
  return { to, subject: `You are invited to ${workspaceName}`, text: text.join('\n\n') };
}
