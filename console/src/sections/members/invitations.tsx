import { withArticle } from '@payroll/kernel';
import {
  Button,
  ChoiceGroup,
  ConfirmButtons,
  Field,
  Form,
  LinkButton,
  OneTimeSecret,
  type PageView,
  PERSON_NAME_WORDING,
  textOf,
  Time,
  type FieldMessages,
} from '@payroll/pages';
import { readInstallation } from '../../deployment.js';
import { graphql, type ResultOf } from '../../operations.js';
import { formPage } from '../../routes.js';
import { idIn, requireRole } from '../../workspace-context.js';
import { readRole, RoleChoices } from './roles.js';

/** The link is null if it was mailed: then only the recipient sees it. */
const inviteMember = graphql(`
  mutation inviteMember($name: String!, $email: String!, $role: Role, $isMailed: Boolean!) {
    inviteMember(name: $name, email: $email, role: $role, isMailed: $isMailed) {
      invitation {
        name
        email
        role
        expiresAt
      }
      link
    }
  }
`);

type MadeInvitation = ResultOf<typeof inviteMember>['inviteMember']['invitation'];

const revokeInvitation = graphql('mutation revokeInvitation($id: ID!) { revokeInvitation(id: $id) { email } }');

export const MEMBER_WORDING: FieldMessages = {
  ...PERSON_NAME_WORDING,
  'email taken': 'Someone with this address is a member already',
  'email worker': 'A worker of this workspace has this address, and cannot be a member too',
  email: 'Enter an email address, such as name@example.com',
  role: 'Choose a role',
};

export const inviteMemberPage = formPage('/workspaces/:workspaceId/members/invite', {
  wording: MEMBER_WORDING,
  load: async (ctx) => {
    const { run, path } = await requireRole(ctx, ['admin']);
    await ctx.requireRecent();
    const { sendsMail } = (await run(readInstallation, {})).installation;
    const form = ctx.typed ?? {};
    const isMailed = sendsMail && textOf(form, 'by') !== 'hand';
    const given = { name: textOf(form, 'name'), email: textOf(form, 'email'), role: readRole(form), isMailed };
    return { run, path, given, sendsMail };
  },
  view: ({ given: { name, email, role, isMailed }, sendsMail }) => ({
    title: 'Invite someone',
    body: (
      <Form>
        <Field name="name" label="Name" value={name} autocomplete="off" />
        <Field name="email" label="Email address" type="email" value={email} autocomplete="off" />
        <RoleChoices chosen={role} />
        {sendsMail && (
          <ChoiceGroup name="by" legend="The link" type="radio" choices={WAYS} chosen={[isMailed ? 'mail' : 'hand']} />
        )}
        <Button>Create an invitation</Button>
      </Form>
    ),
  }),
  submit: async ({ run, path, given }) => {
    const { invitation, link } = (await run(inviteMember, given)).inviteMember;
    if (link !== null) return linkPage(path, invitation, link);
    return { to: path, notice: `An invitation is on its way to ${invitation.email}.` };
  },
});

const WAYS = [
  { value: 'mail', label: 'by email', hint: 'Only a person who can read mail at this address can open it.' },
  { value: 'hand', label: 'by hand', hint: 'You see the link once, and pass it on by a way that you trust.' },
];

/** The one answer that holds an invitation's link. */
function linkPage(path: string, { name, role, expiresAt }: MadeInvitation, link: string): PageView {
  const body = (
    <>
      <OneTimeSecret label="Invitation link" value={link} hint="Press Tab to select all of it, then copy." />
      <p>
        Good until <Time at={expiresAt} />, for one use.
      </p>
      <LinkButton href={path}>Back to members</LinkButton>
    </>
  );
  const lead = `Send this link to ${name} by a way that you trust. The first person to open it becomes ${withArticle(role!)} here. It is shown only once.`;
  return { title: 'Invitation made', lead, body };
}

export const revokeInvitationPage = formPage('/workspaces/:workspaceId/members/invitations/:id/revoke', {
  load: (ctx) => requireRole(ctx, ['admin']),
  view: ({ path }) => ({
    title: 'Withdraw this invitation?',
    lead: 'The link that was sent no longer works. You can invite the same person again.',
    body: (
      <Form>
        <ConfirmButtons look="danger" label="Withdraw the invitation" back={path} keep="Keep it" />
      </Form>
    ),
  }),
  submit: async ({ run, path }, ctx) => {
    const taken = await run(revokeInvitation, { id: idIn(ctx) });
    return { to: path, notice: `The invitation of ${taken.revokeInvitation.email} is withdrawn.` };
  },
});
