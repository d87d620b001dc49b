import { ROLE_SCOPES } from '@payroll/kernel';
import { ROLE_MEANINGS } from '../../domain/roles.js';
import { roomPath } from '../layout.js';
import { sendPage } from '../send-page.js';
import { visit } from '../visit.js';
import type { Routes } from '../web.js';

/** What somebody is in the workspace: the page for every member. */
export const overviewPage: Routes = (web) => (app) => {
  app.get('/workspaces/:workspaceId', async (request, reply) => {
    const { place, membership, visitor } = await visit(web, request, 'overview');
    const { role, workspaceId } = place;
    const body = (
      <>
        <dl class="facts">
          <dt>You are</dt>
          <dd>
            {visitor.account.name} ({visitor.account.email})
          </dd>
          <dt>Your role</dt>
          <dd>
            {role}
            <p class="hint">{ROLE_MEANINGS[role]}</p>
          </dd>
          <dt>What may act for you</dt>
          <dd>
            {ROLE_SCOPES[role].map((scope) => (
              <code key={scope}>{scope} </code>
            ))}
            <p class="hint">Your keys and connections can never do more than this, whatever scopes they have.</p>
          </dd>
        </dl>
        <p>
          <a href={`${roomPath(workspaceId, 'members')}/${membership.membershipId}/remove`}>Leave this workspace</a>
        </p>
      </>
    );
    return await sendPage(web, request, reply, { title: 'Overview', place, body });
  });
  return Promise.resolve();
};
