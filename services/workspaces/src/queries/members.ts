import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, isId, notFound } from '@payroll/kernel';
import { computed, columns, list, type Page, type Paging, read, readOne, sql, rawSql } from '@payroll/store';
import { HAS_SECOND_FACTOR, LACKS_REQUIRED_FACTOR } from '../accounts/second-factor.js';
import { normalizeEmail } from '../domain/account.js';
import { isOpen } from '../domain/member.js';
import { AccountTable, InvitationTable, WorkerAccessTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';
import { invitations, type Member, members } from '../store/views.js';
import type { Bus } from '@payroll/commands';
import { ask, WORKER_PROFILE_QUESTION, type WorkerProfileAnswer, type WorkerQuestion } from '@payroll/events';

export async function listMembers(
  em: EntityManager,
  workspaceId: string,
  { includeLeft, ...paging }: Paging & { includeLeft: boolean },
): Promise<Page<Member>> {
  const filters = { of: 'members', includeLeft };
  const conditions = [!includeLeft && sql`left_at is null`];
  return await list(em, members, { workspaceId, filters, conditions, ...paging });
}

/** A current member of the workspace. @throws DomainError `NOT_FOUND` */
export async function findMember(em: EntityManager, workspaceId: string, id: string): Promise<Member> {
  const one = sql`select ${members.columns} from membership
    where workspace_id = ${workspaceId} and id = ${id} and left_at is null`;
  const [row] = isId(id) ? await read(em, one) : [];
  if (!row) throw notFound('The member');
  return members.toNode(row);
}

/** More admins and members than any workspace has. */
const MAX_WITHOUT = 1_000;

/** Current members who sign in without a second factor, by name. */
export async function membersWithoutSecondFactor(em: EntityManager, workspaceId: string): Promise<Member[]> {
  const rows = await read(
    em,
    sql`select ${members.columns} from membership join account on account.id = membership.account_id
      where membership.workspace_id = ${workspaceId} and membership.left_at is null
        and not ${rawSql(HAS_SECOND_FACTOR)}
      order by membership.name, membership.id limit ${MAX_WITHOUT}`,
  );
  return rows.map((row) => members.toNode(row));
}

export type AccountMembership = Awaited<ReturnType<typeof membershipsOfAccount>>[number];

/** The account's current memberships, by workspace name. */
export async function membershipsOfAccount(em: EntityManager, accountId: string) {
  return await read(
    em,
    sql`select ${columns(MembershipTable, 'workspaceId', 'name', 'role')}, ${computed('membershipId', 'uuid', sql`membership.id`)},
        ${computed('workspaceName', 'text', sql`business.name`)},
        ${computed('lacksRequiredFactor', 'boolean', rawSql(LACKS_REQUIRED_FACTOR))}
      from membership join business on business.id = membership.workspace_id
      join account on account.id = membership.account_id
      where membership.account_id = ${accountId} and membership.left_at is null
      order by business.name, business.id`,
  );
}

export async function workspaceNames(em: EntityManager, accountId: string): Promise<string[]> {
  return (await membershipsOfAccount(em, accountId)).map(({ workspaceName }) => workspaceName);
}

/** The workspaces that would have no admin without the account; closed accounts do not count, nor do admins who cannot sign in. */
export const withoutOtherAdmin = (accountId: string) => sql`select ${computed('name', 'text', sql`business.name`)}
  from membership own join business on business.id = own.workspace_id
  where own.account_id = ${accountId} and own.role = 'admin' and own.left_at is null and not exists (
    select from membership other join account on account.id = other.account_id
    where other.workspace_id = own.workspace_id and other.id <> own.id and other.role = 'admin'
      and other.left_at is null and account.closed_at is null)
  order by business.name, business.id`;

/** Members with this address who cannot sign in yet, in all workspaces. For operators. */
export async function membershipsWithoutAccount(em: EntityManager, email: string) {
  return await read(
    em,
    sql`select ${columns(MembershipTable, 'workspaceId', 'name')}, ${computed('membershipId', 'uuid', sql`id`)}
      from membership where email = ${email} and account_id is null and left_at is null`,
  );
}

export type SignedUpMember = NonNullable<Awaited<ReturnType<typeof memberOfEmail>>>;

/** The current member who signs in with this address, or null. */
export async function memberOfEmail(em: EntityManager, workspaceId: string, email: string) {
  if (!isId(workspaceId)) return null;
  return await readOne(
    em,
    sql`select ${computed('membershipId', 'uuid', sql`m.id`)}, ${computed('accountId', 'uuid', sql`a.id`)}
      from membership m join account a on a.id = m.account_id
      where m.workspace_id = ${workspaceId} and m.left_at is null and a.email = ${normalizeEmail(email)}`,
  );
}

/** Every account with this address, which may be unverified, and the workspaces of its members and workers. For operators. */
export async function accountsOfEmail(em: EntityManager, email: string) {
  const workspaceIds = sql`coalesce(array_agg(place.workspace_id) filter (where place.workspace_id is not null), '{}')`;
  return await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'name')}, ${computed('workspaceIds', 'text[]', workspaceIds)}
      from account left join (
        select account_id, workspace_id from membership where left_at is null
        union all
        select account_id, workspace_id from worker_access where ended_at is null
      ) place on place.account_id = account.id
      where account.email = ${email}
      group by account.id order by account.created_at, account.id`,
  );
}

/** The workspace and, if a member invites, that member, for the invitation's mail. */
export async function findInviter(em: EntityManager, { workspaceId, principalId }: Actor) {
  const [found] = await read(
    em,
    sql`select ${computed('workspaceName', 'text', sql`business.name`)}, ${computed('name', 'text?', sql`account.name`)},
        ${computed('email', 'text?', sql`account.email`)}
      from business
      left join membership m on m.workspace_id = business.id and m.id = ${principalId}
      left join account on account.id = m.account_id
      where business.id = ${workspaceId}`,
  );
  const { workspaceName, name, email } = found!;
  return { workspaceName, invitedBy: name === null || email === null ? null : { name, email } };
}

/** Invitations of members neither accepted nor revoked, newest first, including expired ones. */
export async function listInvitations(em: EntityManager, workspaceId: string, paging: Paging) {
  const conditions = [sql`accepted_at is null`, sql`revoked_at is null`, sql`worker_id is null`];
  return await list(em, invitations, { workspaceId, filters: { of: 'invitations' }, conditions, ...paging });
}

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

export async function findInvitation(em: EntityManager, secretHash: string) {
  const shown = columns(InvitationTable, 'workspaceId', 'workerId', 'name', 'email', 'role');
  const [row] = await read(
    em,
    sql`select ${computed('invitationId', 'uuid', sql`invitation.id`)}, ${shown},
        ${computed('workspaceName', 'text', sql`business.name`)},
        ${columns(InvitationTable, 'acceptedAt', 'revokedAt', 'expiresAt')}, ${computed('now', 'timestamptz', sql`now()`)}
      from invitation join business on business.id = invitation.workspace_id
      where invitation.secret_hash = ${secretHash}`,
  );
  if (!row) return null;
  const { acceptedAt, revokedAt, expiresAt, now, ...invitation } = row;
  return isOpen({ acceptedAt, revokedAt, expiresAt }, now) ? invitation : null;
}

/** Where this account has joined with the link, if it did and still belongs there. */
export async function findJoined(em: EntityManager, secretHash: string, accountId: string) {
  return await readOne(
    em,
    sql`select ${columns(InvitationTable, 'workspaceId', 'workerId')}, ${computed('workspaceName', 'text', sql`business.name`)}
      from invitation join business on business.id = invitation.workspace_id
      where invitation.secret_hash = ${secretHash} and invitation.accepted_at is not null and (
        exists (select from membership m where m.workspace_id = invitation.workspace_id
          and m.id = invitation.membership_id and m.account_id = ${accountId} and m.left_at is null)
        or exists (select from worker_access w where w.workspace_id = invitation.workspace_id
          and w.worker_id = invitation.worker_id and w.account_id = ${accountId} and w.ended_at is null))`,
  );
}

/** Asks contracts, which owns the workers. @throws DomainError `SERVICE_UNAVAILABLE` if it does not answer */
export async function askProfile(
  { bus }: { bus: Pick<Bus, 'request'> },
  question: WorkerQuestion,
): Promise<WorkerProfileAnswer> {
  if (!isId(question.workerId)) return null;
  return await ask(bus, WORKER_PROFILE_QUESTION, question);
}

/** The live access of a worker; null if they do not sign in. */
export async function findAccess(em: EntityManager, { workspaceId, workerId }: WorkerQuestion) {
  if (!isId(workerId)) return null;
  return await readOne(
    em,
    sql`select ${columns(WorkerAccessTable, 'joinedAt')}, ${columns(AccountTable, 'email')}
      from worker_access join account on account.id = worker_access.account_id
      where workspace_id = ${workspaceId} and worker_id = ${workerId} and ended_at is null`,
  );
}

/** The open invitation of a worker, if any. */
export async function findWorkerInvitation(em: EntityManager, { workspaceId, workerId }: WorkerQuestion) {
  if (!isId(workerId)) return null;
  return await readOne(
    em,
    sql`select ${columns(InvitationTable, 'id', 'email', 'expiresAt')} from invitation
      where workspace_id = ${workspaceId} and worker_id = ${workerId} and accepted_at is null and revoked_at is null
        and expires_at > now()
      order by created_at desc limit 1`,
  );
}

/** The workspaces that the account works for now, by name. */
export async function employersOfAccount(em: EntityManager, accountId: string) {
  return await read(
    em,
    sql`select ${columns(WorkerAccessTable, 'workspaceId')}, ${computed('workspaceName', 'text', sql`business.name`)}
      from worker_access join business on business.id = worker_access.workspace_id
      where worker_access.account_id = ${accountId} and worker_access.ended_at is null
      order by business.name, business.id`,
  );
}
