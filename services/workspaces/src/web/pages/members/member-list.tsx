import { instantOf, type Instant } from '@payroll/kernel';
import type { VNode } from 'preact';
import type { Invitation, Member } from '../../../domain/workspace.js';
import { listInvitations } from '../../../queries/list-invitations.js';
import { listMembers } from '../../../queries/list-members.js';
import { roomPath } from '../../layout.js';
import { Cell, Head, LinkButton, Older, Tag } from '../../pieces.js';
import { sendPage } from '../../send-page.js';
import { Time } from '../../time.js';
import { visitAsAdmin } from '../../visit.js';
import type { Routes } from '../../web.js';

export const memberListPage: Routes = (web) => (app) => {
  app.get<{ Querystring: { cursor?: string } }>('/workspaces/:workspaceId/members', async (request, reply) => {
    const { place, membership } = await visitAsAdmin(web, request, 'members');
    const { workspaceId } = place;
    const { cursor } = request.query;
    const members = await listMembers(web.em, workspaceId, { includeLeft: false, limit: 50, cursor });
    const invitations = await listInvitations(web.em, workspaceId, { limit: 50 });
    const path = roomPath(workspaceId, 'members');
    const body = (
      <>
        <p class="lead">What a member may do is decided by their role, on each request.</p>
        <LinkButton href={`${path}/invite`}>Invite someone</LinkButton>
        <MemberTable members={members.nodes} path={path} me={membership.membershipId} />
        <Older cursor={members.nextCursor} />
        {invitations.nodes.length > 0 && (
          <>
            <h2>Invitations</h2>
            <InvitationTable invitations={invitations.nodes} path={path} now={instantOf(new Date())} />
          </>
        )}
      </>
    );
    return await sendPage(web, request, reply, { title: 'Members', place, body });
  });
  return Promise.resolve();
};

function MemberTable({ members, path, me }: { members: readonly Member[]; path: string; me: string }): VNode {
  return (
    <table>
      <caption class="hidden">Members, newest first</caption>
      <Head columns={['Name', 'Role', 'Since', 'Actions']} />
      <tbody>
        {members.map(({ id, name, email, role, hasAccount, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              {name} {id === me && <Tag>you</Tag>} {!hasAccount && <Tag look="bad">cannot sign in yet</Tag>}
              <p class="hint">{email}</p>
            </th>
            <Cell label="Role">{role}</Cell>
            <Cell label="Since">
              <Time at={createdAt} />
            </Cell>
            <Cell label="Actions">
              <span class="actions">
                <a href={`${path}/${id}`}>
                  Change role<span class="hidden"> of {name}</span>
                </a>
                <a href={`${path}/${id}/remove`}>
                  {id === me ? 'Leave' : 'Remove'}
                  {id !== me && <span class="hidden"> {name}</span>}
                </a>
              </span>
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface InvitationTableProps {
  invitations: readonly Invitation[];
  path: string;
  now: Instant;
}

function InvitationTable({ invitations, path, now }: InvitationTableProps): VNode {
  return (
    <table>
      <caption class="hidden">Invitations that nobody has accepted yet</caption>
      <Head columns={['Name', 'Role', 'Good until', 'Actions']} />
      <tbody>
        {invitations.map(({ id, name, email, role, expiresAt }) => (
          <tr key={id}>
            <th scope="row">
              {name} {expiresAt <= now && <Tag look="bad">expired</Tag>}
              <p class="hint">{email}</p>
            </th>
            <Cell label="Role">{role}</Cell>
            <Cell label="Good until">
              <Time at={expiresAt} />
            </Cell>
            <Cell label="Actions">
              <a href={`${path}/invitations/${id}/revoke`}>
                Take back<span class="hidden"> the invitation of {name}</span>
              </a>
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
