import { DomainError, type Role } from '@payroll/kernel';
import {
  Button,
  Choices,
  Decision,
  Field,
  Form,
  LinkButton,
  Once,
  type Page,
  type SentForm,
  textOf,
  Time,
  type Wording,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { newInvitationLink } from '../../accounts/secret.js';
import { inviteMember, revokeInvitation } from '../../commands/invitations.js';
import { invitationMail } from '../../mail/texts.js';
import { ROLE_MEANINGS, ROLES } from '../../domain/member.js';
import type { Invitation } from '../../store/views.js';
import { formPage } from '../routes.js';
import { visitAsAdmin } from '../visit.js';

export const MEMBER_WORDING: Wording = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'name contains_address': 'The name must not contain an e-mail or web address',
  'email taken': 'Someone with this address is a member already',
  email: 'Enter an e-mail address, such as name@example.com',
  role: 'Choose a role',
};

export function RoleChoices({ chosen }: { chosen: Role | null }): VNode {
  const choices = ROLES.map((role) => ({ value: role, hint: ROLE_MEANINGS[role] }));
  return <Choices name="role" legend="Role" type="radio" choices={choices} chosen={chosen === null ? [] : [chosen]} />;
}

export function readRole(form: SentForm): Role | null {
  return ROLES.find((role) => role === textOf(form, 'role')) ?? null;
}

export const inviteMemberPage = formPage('/workspaces/:workspaceId/members/invite', {
  wording: MEMBER_WORDING,
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'members');
    await at.requireRecent();
    const form = (await at.filledIn()) ?? {};
    const mailer = textOf(form, 'by') === 'hand' ? null : at.web.mailer;
    const named = { name: textOf(form, 'name'), email: textOf(form, 'email'), role: readRole(form) };
    return { ...visit, ...named, mailer, canMail: at.web.mailer !== null };
  },
  view: ({ name, email, role, mailer, canMail }) => ({
    title: 'Invite someone',
    body: (
      <Form>
        <Field name="name" label="Name" value={name} autocomplete="off" />
        <Field name="email" label="E-mail address" type="email" value={email} autocomplete="off" />
        <RoleChoices chosen={role} />
        {canMail && (
          <Choices name="by" legend="The link" type="radio" choices={WAYS} chosen={[mailer ? 'mail' : 'hand']} />
        )}
        <Button>Create an invitation</Button>
      </Form>
    ),
  }),
  send: async ({ run, path, visitor, membership, name, email, role, mailer }, at) => {
    const { link, ...proof } = newInvitationLink(at.web.settings.origin);
    const made = await run(inviteMember, { ...proof, name, email, role, isMailed: mailer !== null });
    if (mailer === null) return linkPage(path, made, link);
    const { workspaceName } = membership;
    const about = { workspaceName, invitedBy: visitor.account, role: made.role, link };
    if (!(await mailer.send(invitationMail(made.email, about)))) throw NOT_SENT;
    return { to: path, notice: `An invitation is on its way to ${made.email}.` };
  },
});

const WAYS = [
  { value: 'mail', label: 'by e-mail', hint: 'Only whoever reads the mail of this address can open it.' },
  { value: 'hand', label: 'by hand', hint: 'You see the link once, and pass it on by a way that you trust.' },
];

const NOT_SENT = new DomainError(
  'SERVICE_UNAVAILABLE',
  'The mail could not be sent. Invite them again in a few minutes, or pass the link on by hand.',
);

/** The one answer that holds an invitation's link. */
function linkPage(path: string, { name, role, expiresAt }: Invitation, link: string): Page {
  const body = (
    <>
      <Once label="Invitation link" value={link} hint="Press Tab to select all of it, then copy." />
      <p>
        Good until <Time at={expiresAt} />, for one use.
      </p>
      <LinkButton href={path}>Back to members</LinkButton>
    </>
  );
  const lead = `Send this link to ${name} by a way that you trust. Whoever opens it first becomes a ${role} here. It is shown this once.`;
  return { title: 'Invitation made', lead, body };
}

export const revokeInvitationPage = formPage('/workspaces/:workspaceId/members/invitations/:id/revoke', {
  enter: (at) => visitAsAdmin(at, 'members'),
  view: ({ path }) => ({
    title: 'Take the invitation back?',
    lead: 'The link that was sent no longer works. You can invite the same person again.',
    body: (
      <Form>
        <Decision look="danger" label="Take the invitation back" back={path} keep="Keep it" />
      </Form>
    ),
  }),
  send: async ({ run, path }, at) => {
    const { email } = await run(revokeInvitation, { id: at.param('id') });
    return { to: path, notice: `The invitation of ${email} is taken back.` };
  },
});
