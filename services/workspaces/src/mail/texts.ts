import type { Mail } from './mailer.js';

interface ResetLink {
  workspaces: readonly string[];
  link: string;
}

/** For whoever asked for a new password; an address may have several accounts (ADR 19). */
export function resetMail(to: string, links: readonly ResetLink[]): Mail {
  const lines = links.map(({ workspaces, link }) =>
    links.length === 1 ? link : `For ${workspaces.join(', ') || 'the account without a workspace'}:\n${link}`,
  );
  const text = [
    'Somebody asked for a new password for your account at Payroll. If it was you, choose one here, within half an hour:',
    ...lines,
    'If it was not you, do nothing. Your password stays as it is.',
  ];
  return { to, subject: 'Choose a new password', text: text.join('\n\n') };
}

export function passwordChangedMail(to: string): Mail {
  const text = [
    'The password of your account at Payroll was changed. You were signed out everywhere, and the assistants that acted for you are disconnected. API keys that you made go on.',
    'If it was not you, choose a new one at once, with “Forgot your password?” on the sign-in page, and tell the admins of your workspace.',
  ];
  return { to, subject: 'Your password was changed', text: text.join('\n\n') };
}

interface Invited {
  workspaceName: string;
  /** Null where no member invites. */
  invitedBy: { name: string; email: string } | null;
  role: string;
  link: string;
}

/** Without the invitee's name: an admin types it, and it would become text of this mail. */
export function invitationMail(to: string, { workspaceName, invitedBy, role, link }: Invited): Mail {
  const invited = invitedBy ? `${invitedBy.name} (${invitedBy.email}) invites you` : 'You are invited';
  const text = [
    `${invited} to join ${workspaceName} at Payroll as a ${role}. Accept the invitation here, within a week:`,
    link,
    'If you do not know what this is about, do nothing.',
  ];
  return { to, subject: `You are invited to ${workspaceName}`, text: text.join('\n\n') };
}
