import { type Page, sectionPath } from '@payroll/pages';
import { membershipsOfAccount } from '../../queries/members.js';
import type { OwnExchange } from '../exchange.js';
import type { RouteTable } from '../routes.js';

export const workspacePages: RouteTable = {
  'GET /': () => Promise.resolve({ to: '/workspaces' }),
  'GET /workspaces': choicePage,
};

async function choicePage(at: OwnExchange): Promise<Page> {
  const { account } = await at.requireSignIn();
  const memberships = await membershipsOfAccount(at.web.em, account.id);
  const body =
    memberships.length === 0 ? (
      <p class="lead">You do not belong to a workspace at the moment. Ask an admin for an invitation.</p>
    ) : (
      <ul class="cards">
        {memberships.map(({ workspaceId, workspaceName, role }) => (
          <li key={workspaceId}>
            <a href={sectionPath(workspaceId, '')}>{workspaceName}</a>
            <span class="tag">{role}</span>
          </li>
        ))}
      </ul>
    );
  return { title: 'Choose a workspace', body };
}
