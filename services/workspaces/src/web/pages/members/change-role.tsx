import type { Role } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changeMemberRole } from '../../../commands/members.js';
import type { Member } from '../../../domain/workspace.js';
import { findMember } from '../../../queries/list-members.js';
import { Cookies } from '../../cookies.js';
import { textOf } from '../../form-values.js';
import { Button, Choices, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { typedBefore } from '../../read-draft.js';
import { requireRecent } from '../../visitor.js';
import { leaveNotice } from '../../notice.js';
import type { Problems } from '../../problems.js';
import { sendPage } from '../../send-page.js';
import { tryForm } from '../../try-form.js';
import { visitAsAdmin, type Visit } from '../../visit.js';
import type { Routes, Web } from '../../web.js';
import { MEMBER_WORDING, NO_ROLE, readRole, roleChoices } from './member-wording.js';

export const changeRolePage: Routes = (web) => (app) => {
  app.get<{ Params: { id: string } }>('/workspaces/:workspaceId/members/:id', async (request, reply) => {
    const visit = await visitAsAdmin(web, request, 'members');
    const member = await findMember(web.em, visit.place.workspaceId, request.params.id);
    requireRecent(visit.visitor, request);
    const typed = await typedBefore(web, request);
    const role = typed ? readRole(textOf(typed, 'role')) : member.role;
    return await sendForm(web, request, reply, { visit, member, role, problems: [] });
  });

  app.post<{ Params: { id: string } }>('/workspaces/:workspaceId/members/:id', async (request, reply) => {
    const visit = await visitAsAdmin(web, request, 'members');
    const member = await findMember(web.em, visit.place.workspaceId, request.params.id);
    const role = readRole(textOf(request, 'role'));
    if (role === null) return await sendForm(web, request, reply, { visit, member, role, problems: [NO_ROLE] });
    const input = { id: member.id, role };
    const outcome = await tryForm(MEMBER_WORDING, () => web.commands.run(changeMemberRole, input, visit.origin));
    if (!outcome.done) return await sendForm(web, request, reply, { visit, member, role, problems: outcome.problems });
    leaveNotice(new Cookies(web.settings.origin), reply, `${member.name} is now a ${role}.`);
    const isOwnLoss = member.id === visit.membership.membershipId && role !== 'admin';
    return await reply.redirect(roomPath(visit.place.workspaceId, isOwnLoss ? 'overview' : 'members'), 303);
  });
  return Promise.resolve();
};

interface RoleForm {
  visit: Visit;
  member: Member;
  role: Role | null;
  problems: Problems;
}

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { visit: { place }, member, role, problems }: RoleForm,
): Promise<FastifyReply> {
  const body = (
    <>
      <p class="lead">
        Holds from the next request on, also for the keys and connections that act for {member.name}. Now: {member.role}
        .
      </p>
      <Form action={`${roomPath(place.workspaceId, 'members')}/${member.id}`}>
        <Choices name="role" legend="Role" type="radio" choices={roleChoices(role)} problems={problems} />
        <div class="actions">
          <Button>Change the role</Button>
          <a href={roomPath(place.workspaceId, 'members')}>Leave it as it is</a>
        </div>
      </Form>
    </>
  );
  return await sendPage(web, request, reply, { title: `Role of ${member.name}`, place, problems, body });
}
