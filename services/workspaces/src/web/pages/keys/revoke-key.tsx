import { revokeApiKey } from '../../../commands/api-keys.js';
import { findApiKey } from '../../../queries/list-api-keys.js';
import { Cookies } from '../../cookies.js';
import { Button, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { leaveNotice } from '../../notice.js';
import { sendPage } from '../../send-page.js';
import { Time } from '../../time.js';
import { visitAsAdmin } from '../../visit.js';
import type { Routes } from '../../web.js';

export const revokeKeyPage: Routes = (web) => (app) => {
  app.get<{ Params: { id: string } }>('/workspaces/:workspaceId/keys/:id/revoke', async (request, reply) => {
    const { place } = await visitAsAdmin(web, request, 'keys');
    const key = await findApiKey(web.em, place.workspaceId, request.params.id);
    const path = roomPath(place.workspaceId, 'keys');
    const body = (
      <>
        <p class="lead">Programs that use this key are refused from their next request on. This cannot be undone.</p>
        <p>Last used: {key.lastUsedAt === null ? 'never' : <Time at={key.lastUsedAt} />}</p>
        <Form action={`${path}/${key.id}/revoke`}>
          <div class="actions">
            <Button look="danger">Revoke the key</Button>
            <a href={path}>Keep it</a>
          </div>
        </Form>
      </>
    );
    return await sendPage(web, request, reply, { title: `Revoke ${key.name}?`, place, body });
  });

  app.post<{ Params: { id: string } }>('/workspaces/:workspaceId/keys/:id/revoke', async (request, reply) => {
    const { place, origin } = await visitAsAdmin(web, request, 'keys');
    const key = await web.commands.run(revokeApiKey, { id: request.params.id }, origin);
    leaveNotice(new Cookies(web.settings.origin), reply, `The key ${key.name} is revoked.`);
    return await reply.redirect(roomPath(place.workspaceId, 'keys'), 303);
  });
  return Promise.resolve();
};
