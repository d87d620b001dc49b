import { DomainError, instantOf } from '@payroll/kernel';
import { Decision, Form, LinkButton, type Page, roomPath, RowLink, Table, Tag, Time } from '@payroll/pages';
import type { Page as List } from '@payroll/store';
import type { VNode } from 'preact';
import { changeMemberRole, removeMember } from '../../commands/members.js';
import type { Invitation, Member } from '../../store/views.js';
import { findMember, listInvitations, listMembers } from '../../queries/members.js';
import type { OwnExchange } from '../exchange.js';
import { formPage, type RouteTable } from '../routes.js';
import { visit, visitAsAdmin, type Visit } from '../visit.js';
import { inviteMemberPage, MEMBER_WORDING, readRole, revokeInvitationPage, RoleChoices } from './invitations.js';

const NO_ROLE = { path: 'role', code: 'missing' };

const changeRolePage = formPage('/workspaces/:workspaceId/members/:id', {
  wording: MEMBER_WORDING,
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'members');
    const member = await findMember(visit.em, visit.workspaceId, at.param('id'));
    await at.requireRecent();
    const form = await at.filledIn();
    return { ...visit, member, role: form ? readRole(form) : member.role };
  },
  view: ({ path, member, role }) => ({
    title: `Role of ${member.name}`,
    lead: `Holds from the next request on, also for the keys and connections that act for ${member.name}. Now: ${member.role}.`,
    body: (
      <Form>
        <RoleChoices chosen={role} />
        <Decision label="Change the role" back={path} keep="Leave it as it is" />
      </Form>
    ),
  }),
  send: async ({ run, member, role, membership, path, workspaceId }) => {
    if (role === null) throw new DomainError('VALIDATION_FAILED', 'A role is missing.', { details: [NO_ROLE] });
    await run(changeMemberRole, { id: member.id, role });
    const isOwnLoss = member.id === membership.membershipId && role !== 'admin';
    const to = isOwnLoss ? roomPath(workspaceId, 'overview') : path;
    return { to, notice: `The role of ${member.name} is now ${role}.` };
  },
});

/** Removing somebody is for admins; everybody may leave. */
const removeMemberPage = formPage('/workspaces/:workspaceId/members/:id/remove', {
  wording: {},
  enter: async (at) => {
    const guest = await visit(at, 'overview');
    const isOwn = guest.membership.membershipId === at.param('id');
    const own = isOwn ? guest : await visitAsAdmin(at, 'members');
    return { ...own, isOwn, member: await findMember(own.em, own.workspaceId, at.param('id')) };
  },
  view: ({ membership, path, isOwn, member: { name } }) => ({
    title: isOwn ? `Leave ${membership.workspaceName}?` : `Remove ${name}?`,
    lead: `${isOwn ? 'Your' : 'Their'} API keys and connections are revoked for ever, from the next request on. Joining again later revives none of them.`,
    body: (
      <Form>
        <Decision
          look="danger"
          label={isOwn ? 'Leave the workspace' : `Remove ${name}`}
          back={path}
          keep={isOwn ? 'Stay' : 'Keep them'}
        />
      </Form>
    ),
  }),
  send: async ({ run, membership, path, isOwn, member: { id, name } }) => {
    await run(removeMember, { id });
    if (isOwn) return { to: '/workspaces', notice: `You have left ${membership.workspaceName}.` };
    return { to: path, notice: `${name} is no longer a member.` };
  },
});

export const memberPages: RouteTable = {
  'GET /workspaces/:workspaceId/members': memberList,
  ...inviteMemberPage,
  ...changeRolePage,
  ...removeMemberPage,
  ...revokeInvitationPage,
};

async function memberList(at: OwnExchange): Promise<Page> {
  const visit = await visitAsAdmin(at, 'members');
  const { em, workspaceId, path } = visit;
  const members = await listMembers(em, workspaceId, { includeLeft: false, limit: 50, cursor: at.query('cursor') });
  const invitations = await listInvitations(em, workspaceId, { limit: 50 });
  const body = (
    <>
      <LinkButton href={`${path}/invite`}>Invite someone</LinkButton>
      <MemberTable members={members} visit={visit} />
      {invitations.nodes.length > 0 && (
        <>
          <h2>Invitations</h2>
          <InvitationTable invitations={invitations.nodes} path={path} />
        </>
      )}
    </>
  );
  return { title: 'Members', lead: 'What a member may do is decided by their role, on each request.', body };
}

function MemberTable({ members, visit: { path, membership } }: { members: List<Member>; visit: Visit }): VNode {
  const isMe = ({ id }: Member): boolean => id === membership.membershipId;
  return (
    <Table
      caption="Members, newest first"
      rows={members.nodes}
      cursor={members.nextCursor}
      columns={{
        Name: (member) => (
          <>
            {member.name} {isMe(member) && <Tag>you</Tag>}{' '}
            {!member.hasAccount && <Tag look="bad">cannot sign in yet</Tag>}
            <p class="hint">{member.email}</p>
          </>
        ),
        Role: ({ role }) => role,
        Since: ({ createdAt }) => <Time at={createdAt} />,
        Actions: (member) => (
          <span class="actions">
            <RowLink href={`${path}/${member.id}`} label="Change role" about={`of ${member.name}`} />
            {isMe(member) ? (
              <RowLink href={`${path}/${member.id}/remove`} label="Leave" />
            ) : (
              <RowLink href={`${path}/${member.id}/remove`} label="Remove" about={member.name} />
            )}
          </span>
        ),
      }}
    />
  );
}

function InvitationTable({ invitations, path }: { invitations: readonly Invitation[]; path: string }): VNode {
  const now = instantOf(new Date());
  return (
    <Table
      caption="Invitations that nobody has accepted yet"
      rows={invitations}
      columns={{
        Name: ({ name, email, expiresAt }) => (
          <>
            {name} {expiresAt <= now && <Tag look="bad">expired</Tag>}
            <p class="hint">{email}</p>
          </>
        ),
        Role: ({ role }) => role,
        'Good until': ({ expiresAt }) => <Time at={expiresAt} />,
        Actions: ({ id, name }) => (
          <RowLink href={`${path}/invitations/${id}/revoke`} label="Take back" about={`the invitation of ${name}`} />
        ),
      }}
    />
  );
}
