import type { Role } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newInvitationLink } from '../../../accounts/invitation-link.js';
import { inviteMember } from '../../../commands/invitations.js';
import type { Invitation } from '../../../domain/workspace.js';
import { textOf, type SentForm } from '../../form-values.js';
import { Button, Choices, Field, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { typedBefore } from '../../read-draft.js';
import { LinkButton, Once } from '../../pieces.js';
import type { Problems } from '../../problems.js';
import { sendPage } from '../../send-page.js';
import { Time } from '../../time.js';
import { tryForm } from '../../try-form.js';
import { visitAsAdmin, type Visit } from '../../visit.js';
import type { Routes, Web } from '../../web.js';
import { MEMBER_WORDING, readRole, roleChoices } from './member-wording.js';

interface InviteValues {
  name: string;
  email: string;
  role: Role | null;
}

export const inviteMemberPage: Routes = (web) => (app) => {
  app.get('/workspaces/:workspaceId/members/invite', async (request, reply) => {
    const visit = await visitAsAdmin(web, request, 'members');
    const typed = await typedBefore(web, request);
    return await sendForm(web, request, reply, visit, readValues(typed ?? {}), []);
  });

  app.post('/workspaces/:workspaceId/members/invite', async (request, reply) => {
    const visit = await visitAsAdmin(web, request, 'members');
    const values = readValues(request);
    const { link, ...proof } = newInvitationLink(web.settings.origin);
    const outcome = await tryForm(MEMBER_WORDING, () =>
      web.commands.run(inviteMember, { ...proof, ...values }, visit.origin),
    );
    if (!outcome.done) return await sendForm(web, request, reply, visit, values, outcome.problems);
    return await sendLink(web, request, reply, visit, outcome.result, link);
  });
  return Promise.resolve();
};

function readValues(form: SentForm): InviteValues {
  return { name: textOf(form, 'name'), email: textOf(form, 'email'), role: readRole(textOf(form, 'role')) };
}

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { place }: Visit,
  { name, email, role }: InviteValues,
  problems: Problems,
): Promise<FastifyReply> {
  const body = (
    <Form action={`${roomPath(place.workspaceId, 'members')}/invite`}>
      <Field name="name" label="Name" value={name} autocomplete="off" problems={problems} />
      <Field name="email" label="E-mail address" type="email" value={email} autocomplete="off" problems={problems} />
      <Choices name="role" legend="Role" type="radio" choices={roleChoices(role)} problems={problems} />
      <Button>Create an invitation</Button>
    </Form>
  );
  return await sendPage(web, request, reply, { title: 'Invite someone', place, problems, body });
}

/** The one answer that holds an invitation's link. */
async function sendLink(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { place }: Visit,
  { name, role, expiresAt }: Invitation,
  link: string,
): Promise<FastifyReply> {
  const body = (
    <>
      <p class="lead">
        Send this link to {name} by a way that you trust. Whoever opens it first becomes a {role} here. It is shown this
        once.
      </p>
      <Once label="Invitation link" value={link} hint="Press Tab to select all of it, then copy." />
      <p>
        Good until <Time at={expiresAt} />, for one use.
      </p>
      <LinkButton href={roomPath(place.workspaceId, 'members')}>Back to members</LinkButton>
    </>
  );
  return await sendPage(web, request, reply, { title: 'Invitation made', place, body });
}
