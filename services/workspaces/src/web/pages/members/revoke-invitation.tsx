import { revokeInvitation } from '../../../commands/invitations.js';
import { Cookies } from '../../cookies.js';
import { Button, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { leaveNotice } from '../../notice.js';
import { sendPage } from '../../send-page.js';
import { visitAsAdmin } from '../../visit.js';
import type { Routes } from '../../web.js';

export const revokeInvitationPage: Routes = (web) => (app) => {
  const route = '/workspaces/:workspaceId/members/invitations/:id/revoke';

  app.get<{ Params: { id: string } }>(route, async (request, reply) => {
    const { place } = await visitAsAdmin(web, request, 'members');
    const path = roomPath(place.workspaceId, 'members');
    const body = (
      <>
        <p class="lead">The link that was sent no longer works. You can invite the same person again.</p>
        <Form action={`${path}/invitations/${request.params.id}/revoke`}>
          <div class="actions">
            <Button look="danger">Take the invitation back</Button>
            <a href={path}>Keep it</a>
          </div>
        </Form>
      </>
    );
    return await sendPage(web, request, reply, { title: 'Take the invitation back?', place, body });
  });

  app.post<{ Params: { id: string } }>(route, async (request, reply) => {
    const { place, origin } = await visitAsAdmin(web, request, 'members');
    const { email } = await web.commands.run(revokeInvitation, { id: request.params.id }, origin);
    leaveNotice(new Cookies(web.settings.origin), reply, `The invitation of ${email} is taken back.`);
    return await reply.redirect(roomPath(place.workspaceId, 'members'), 303);
  });
  return Promise.resolve();
};
