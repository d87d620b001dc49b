import { DomainError, instantOf } from '@payroll/kernel';
import {
  ConfirmButtons,
  Form,
  LinkButton,
  OperationId,
  type PageView,
  queryOf,
  RowLink,
  Table,
  Tag,
  textOf,
  Time,
} from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { graphql, ONCE, type ResultOf, type RowOf, SENT } from '../../operations.js';
import { formPage, type RouteTable } from '../../routes.js';
import { operationIn, idIn, requireMember, requireRole, type WorkspaceContext } from '../../workspace-context.js';
import { inviteMemberPage, MEMBER_WORDING, revokeInvitationPage } from './invitations.js';
import { readRole, ROLE_NAMES, RoleChoices } from './roles.js';
import { secondFactorPage } from './second-factor.js';

const SOMEBODY = 'name email role';

const readMembers = graphql(`
  query members($cursor: String, $invitationCursor: String) {
    members(cursor: $cursor) { nodes { id ${SOMEBODY} hasAccount createdAt } nextCursor }
    invitations(cursor: $invitationCursor) { nodes { id ${SOMEBODY} expiresAt } nextCursor }
    membersWithoutSecondFactor { id }
    business { secondFactorRequired }
  }`);

type Members = ResultOf<typeof readMembers>['members'];
type Member = RowOf<typeof readMembers, 'members'>;
type Invitation = RowOf<typeof readMembers, 'invitations'>;

const readMember = graphql('query member($id: ID!) { member(id: $id) { id name role } }');

const changeRole = graphql(`
  mutation changeRole($id: ID!, $role: Role!, $expectedRole: Role) {
    changeMemberRole(id: $id, role: $role, expectedRole: $expectedRole) {
      id
    }
  }
`);

const removeMember = graphql(`mutation removeMember($id: ID!, ${ONCE}) { removeMember(id: $id, ${SENT}) { id } }`);

const NO_ROLE = { path: 'role', code: 'missing' };

const changeRolePage = formPage('/workspaces/:workspaceId/members/:id', {
  wording: MEMBER_WORDING,
  load: async (ctx) => {
    const visit = await requireRole(ctx, ['admin']);
    const { member } = await visit.run(readMember, { id: idIn(ctx) });
    await ctx.requireRecent();
    return { ...visit, member, role: ctx.typed ? readRole(ctx.typed) : member.role };
  },
  view: ({ path, member, role }) => ({
    title: `Role of ${member.name}`,
    lead: `Holds from the next request on, also for the keys and connections that act for ${member.name}. Now: ${member.role}.`,
    body: (
      <Form>
        <input type="hidden" name="was" value={member.role} />
        <RoleChoices chosen={role} />
        <ConfirmButtons label="Change the role" back={path} keep="Leave it as it is" />
      </Form>
    ),
  }),
  submit: async ({ run, member, role, membershipId, path, home }, ctx) => {
    if (role === null) throw new DomainError('VALIDATION_FAILED', 'A role is missing.', { details: [NO_ROLE] });
    await run(changeRole, { id: member.id, role, expectedRole: readRole(ctx, 'was') });
    const isOwnLoss = member.id === membershipId && role !== 'admin';
    const to = isOwnLoss ? home : path;
    return { to, notice: `The role of ${member.name} is now ${role}.` };
  },
});

/** Admins may remove any member; every member may leave. */
const removeMemberPage = formPage('/workspaces/:workspaceId/members/:id/remove', {
  wording: {},
  load: async (ctx) => {
    const { run, mutate, membershipId, home, names } = await requireMember(ctx);
    const id = idIn(ctx);
    if (membershipId === id) return { mutate, names, id, name: null, path: home };
    const { path } = await requireRole(ctx, ['admin']);
    // The second of two clicks finds the member gone.
    const name = ctx.isForm ? textOf(ctx, 'name') || 'The member' : (await run(readMember, { id })).member.name;
    return { mutate, names, id, name, path };
  },
  view: ({ names, path, name }) => ({
    title: name === null ? `Leave ${names.workspace}?` : `Remove ${name}?`,
    lead: `${name === null ? 'Your' : 'Their'} API keys and connections are revoked permanently, from the next request on. Joining again later revives none of them.`,
    body: (
      <Form>
        <OperationId />
        {name !== null && <input type="hidden" name="name" value={name} />}
        <ConfirmButtons
          look="danger"
          label={name === null ? 'Leave the workspace' : `Remove ${name}`}
          back={path}
          keep={name === null ? 'Stay' : 'Keep them'}
        />
      </Form>
    ),
  }),
  submit: async ({ mutate, names, path, id, name }, ctx) => {
    await mutate(removeMember, { id }, operationIn(ctx));
    if (name === null) return { to: '/workspaces', notice: `You have left ${names.workspace}.` };
    return { to: path, notice: `${name} is removed.` };
  },
});

export const memberPages: RouteTable = {
  'GET /workspaces/:workspaceId/members': memberList,
  ...inviteMemberPage,
  ...secondFactorPage,
  ...changeRolePage,
  ...removeMemberPage,
  ...revokeInvitationPage,
};

async function memberList(ctx: ConsoleContext): Promise<PageView> {
  const visit = await requireRole(ctx, ['admin']);
  const { run, path } = visit;
  const found = await run(readMembers, {
    cursor: ctx.query('cursor') ?? null,
    invitationCursor: ctx.query('invitations') ?? null,
  });
  const { members, invitations, business } = found;
  const without = new Set(found.membersWithoutSecondFactor.map(({ id }) => id));
  const body = (
    <>
      <LinkButton href={`${path}/invite`}>Invite someone</LinkButton>
      <p>
        {business.secondFactorRequired
          ? 'Admins need a second factor to act here.'
          : 'Admins may act here without a second factor.'}{' '}
        <a href={`${path}/second-factor`}>Change this</a>
      </p>
      <MemberTable members={members} visit={visit} without={without} />
      {invitations.nodes.length > 0 && (
        <>
          <h2>Invitations</h2>
          <InvitationTable invitations={invitations.nodes} path={path} />
          {invitations.nextCursor !== null && (
            <p>
              <a href={queryOf({ invitations: invitations.nextCursor })}>Show older invitations</a>
            </p>
          )}
        </>
      )}
    </>
  );
  return { title: 'Members', lead: 'What a member may do is decided by their role, on each request.', body };
}

interface MemberTableProps {
  members: Members;
  visit: WorkspaceContext;
  /** The ids of those without a second factor. */
  without: ReadonlySet<string>;
}

function MemberTable({ members, visit: { path, membershipId }, without }: MemberTableProps): VNode {
  const isMe = ({ id }: Member): boolean => id === membershipId;
  return (
    <Table
      caption="Members, newest first"
      plain={['Role', 'Actions']}
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
        Role: ({ role }) => role && ROLE_NAMES[role],
        'Second factor': ({ id, hasAccount }) => hasAccount && (without.has(id) ? 'None' : 'Set up'),
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
      plain={['Role', 'Actions']}
      rows={invitations}
      columns={{
        Name: ({ name, email, expiresAt }) => (
          <>
            {name} {expiresAt <= now && <Tag look="bad">expired</Tag>}
            <p class="hint">{email}</p>
          </>
        ),
        Role: ({ role }) => role && ROLE_NAMES[role],
        'Good until': ({ expiresAt }) => <Time at={expiresAt} />,
        Actions: ({ id, name }) => (
          <RowLink href={`${path}/invitations/${id}/revoke`} label="Withdraw" about={`the invitation of ${name}`} />
        ),
      }}
    />
  );
}
