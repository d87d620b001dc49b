import type { Role } from '@payroll/kernel';
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
import { ROLE_MEANINGS, ROLES } from '../../domain/member.js';
import type { Invitation } from '../../store/views.js';
import { formPage } from '../routes.js';
import { visitAsAdmin } from '../visit.js';

export const MEMBER_WORDING: Wording = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
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
    const form = (await at.filledIn()) ?? {};
    return { ...visit, name: textOf(form, 'name'), email: textOf(form, 'email'), role: readRole(form) };
  },
  view: ({ name, email, role }) => ({
    title: 'Invite someone',
    body: (
      <Form>
        <Field name="name" label="Name" value={name} autocomplete="off" />
        <Field name="email" label="E-mail address" type="email" value={email} autocomplete="off" />
        <RoleChoices chosen={role} />
        <Button>Create an invitation</Button>
      </Form>
    ),
  }),
  send: async ({ run, path, name, email, role }, at) => {
    const { link, ...proof } = newInvitationLink(at.web.settings.origin);
    return linkPage(path, await run(inviteMember, { ...proof, name, email, role }), link);
  },
});

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
