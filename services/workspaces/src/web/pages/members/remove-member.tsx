import type { FastifyReply, FastifyRequest } from 'fastify';
import { removeMember } from '../../../commands/members.js';
import type { Member } from '../../../domain/workspace.js';
import { findMember } from '../../../queries/list-members.js';
import { Cookies } from '../../cookies.js';
import { Button, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { leaveNotice } from '../../notice.js';
import type { Problems } from '../../problems.js';
import { sendPage } from '../../send-page.js';
import { tryForm } from '../../try-form.js';
import { visit, visitAsAdmin, type Visit } from '../../visit.js';
import type { Routes, Web } from '../../web.js';

/** Removing somebody is for admins; everybody may leave. */
export const removeMemberPage: Routes = (web) => (app) => {
  const route = '/workspaces/:workspaceId/members/:id/remove';
  const enter = async (request: FastifyRequest): Promise<{ own: Visit; member: Member }> => {
    const { id } = request.params as { id: string };
    const guest = await visit(web, request, 'overview');
    const own = guest.membership.membershipId === id ? guest : await visitAsAdmin(web, request, 'members');
    return { own, member: await findMember(web.em, own.place.workspaceId, id) };
  };

  app.get(route, async (request, reply) => {
    const { own, member } = await enter(request);
    return await sendForm(web, request, reply, own, member, []);
  });

  app.post(route, async (request, reply) => {
    const { own, member } = await enter(request);
    const { place, origin, membership } = own;
    const outcome = await tryForm({}, () => web.commands.run(removeMember, { id: member.id }, origin));
    if (!outcome.done) return await sendForm(web, request, reply, own, member, outcome.problems);
    const isOwn = member.id === membership.membershipId;
    const notice = isOwn ? `You have left ${place.workspaceName}.` : `${member.name} is no longer a member.`;
    leaveNotice(new Cookies(web.settings.origin), reply, notice);
    return await reply.redirect(isOwn ? '/workspaces' : roomPath(place.workspaceId, 'members'), 303);
  });
  return Promise.resolve();
};

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { place, membership }: Visit,
  { id, name }: Member,
  problems: Problems,
): Promise<FastifyReply> {
  const isOwn = id === membership.membershipId;
  const path = roomPath(place.workspaceId, 'members');
  const body = (
    <>
      <p class="lead">
        {isOwn ? 'Your' : 'Their'} API keys and connections are revoked for ever, from the next request on. Joining
        again later revives none of them.
      </p>
      <Form action={`${path}/${id}/remove`}>
        <div class="actions">
          <Button look="danger">{isOwn ? 'Leave the workspace' : `Remove ${name}`}</Button>
          <a href={isOwn ? roomPath(place.workspaceId, 'overview') : path}>{isOwn ? 'Stay' : 'Keep them'}</a>
        </div>
      </Form>
    </>
  );
  const title = isOwn ? `Leave ${place.workspaceName}?` : `Remove ${name}?`;
  return await sendPage(web, request, reply, { title, place, problems, body });
}
