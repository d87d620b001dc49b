import { ROLE_SCOPES } from '@payroll/kernel';
import { Codes, Facts, type Page, roomPath } from '@payroll/pages';
import { ROLE_MEANINGS } from '../../domain/member.js';
import { membershipsOfAccount } from '../../queries/members.js';
import type { OwnExchange } from '../exchange.js';
import type { RouteTable } from '../routes.js';
import { visit } from '../visit.js';

export const workspacePages: RouteTable = {
  'GET /': () => Promise.resolve({ to: '/workspaces' }),
  'GET /workspaces': choicePage,
  'GET /workspaces/:workspaceId/membership': membershipPage,
};

async function choicePage(at: OwnExchange): Promise<Page> {
  const { account } = await at.requireSignIn();
  const memberships = await membershipsOfAccount(at.web.em, account.id);
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
  return { title: 'Choose a workspace', body };
}

async function membershipPage(at: OwnExchange): Promise<Page> {
  const { membership, visitor, workspaceId } = await visit(at, 'membership');
  const { account } = visitor;
  const { role, membershipId } = membership;
  const body = (
    <>
      <Facts
        of={{
          'You are': `${account.name} (${account.email})`,
          'Your role': (
            <>
              {role}
              <p class="hint">{ROLE_MEANINGS[role]}</p>
            </>
          ),
          'What may act for you': (
            <>
              <Codes of={ROLE_SCOPES[role]} />
              <p class="hint">Your keys and connections can never do more than this, whatever scopes they have.</p>
            </>
          ),
        }}
      />
      <p>
        <a href={`${roomPath(workspaceId, 'members')}/${membershipId}/remove`}>Leave this workspace</a>
      </p>
    </>
  );
  return { title: 'Your membership', body };
}
