import { membershipsOfAccount } from '../../queries/memberships-of-account.js';
import { roomPath } from '../layout.js';
import { sendPage } from '../send-page.js';
import { requireSignIn } from '../visitor.js';
import type { Routes } from '../web.js';

export const workspacePages: Routes = (web) => (app) => {
  app.get('/', (_request, reply) => reply.redirect('/workspaces', 303));

  app.get('/workspaces', async (request, reply) => {
    const { account } = await requireSignIn(web, request);
    const memberships = await membershipsOfAccount(web.em, account.id);
    const body =
      memberships.length === 0 ? (
        <p class="lead">You belong to no workspace at the moment. Ask an admin of one for an invitation.</p>
      ) : (
        <ul class="cards">
          {memberships.map(({ workspaceId, workspaceName, role }) => (
            <li key={workspaceId}>
              <a href={roomPath(workspaceId, 'overview')}>{workspaceName}</a>
              <span class="tag">{role}</span>
            </li>
          ))}
        </ul>
      );
    return await sendPage(web, request, reply, { title: 'Choose a workspace', body });
  });
  return Promise.resolve();
};
