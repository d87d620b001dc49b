import { type PageView, sectionPath, workPath } from '@payroll/pages';
import { membershipsOfAccount } from '../../queries/members.js';
import { employersOfAccount } from '../../queries/worker-access.js';
import type { AccountContext, RouteTable } from '../account-context.js';

export const workspacePages: RouteTable = {
  'GET /': () => Promise.resolve({ to: '/workspaces' }),
  'GET /workspaces': choicePage,
};

async function choicePage(ctx: AccountContext): Promise<PageView | { to: string }> {
  const { account } = await ctx.requireSignIn();
  const [memberships, employers] = await Promise.all([
    membershipsOfAccount(ctx.web.em, account.id),
    employersOfAccount(ctx.web.em, account.id),
  ]);
  // The page of a worker's employers lists them all, with what waits.
  if (memberships.length === 0 && employers.length > 0) return { to: '/work' };
  const places = [
    ...memberships.map(({ workspaceId, workspaceName, role }) => {
      return { path: sectionPath(workspaceId, ''), workspaceName, tag: role };
    }),
    ...employers.map(({ workspaceId, workspaceName }) => ({
      path: workPath(workspaceId),
      workspaceName,
      tag: 'worker',
    })),
  ];
  const body =
    places.length === 0 ? (
      <p class="lead">You do not belong to a workspace at the moment. Ask an admin for an invitation.</p>
    ) : (
      <>
        {employers.length > 0 && (
          <p>
            <a href="/work">What waits for you as a worker, and what you are owed</a>
          </p>
        )}
        <ul class="cards">
          {places.map(({ path, workspaceName, tag }) => (
            <li key={path}>
              <a href={path}>{workspaceName}</a>
              <span class="tag">{tag}</span>
            </li>
          ))}
        </ul>
      </>
    );
  return { title: 'Choose a workspace', body };
}
