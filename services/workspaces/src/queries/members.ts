import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, type Role, toInstant } from '@payroll/kernel';
import { Keyset, type Page, part, readComposed } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import type { Member } from '../domain/member.js';
import type { WorkspacesRows } from '../store/schema.js';

export interface MemberFilters {
  includeLeft: boolean;
  limit: number;
  cursor?: string | null | undefined;
}

/** Newest first. */
export async function listMembers(
  em: EntityManager,
  workspaceId: string,
  { includeLeft, limit, cursor }: MemberFilters,
): Promise<Page<Member>> {
  const keyset = new Keyset({ list: 'members', workspaceId, filters: { of: 'members', includeLeft }, limit, cursor });
  const statement = keyset.statement(MEMBERS, 'membership', [!includeLeft && part`left_at is null`]);
  const rows = await readComposed<Row>(em, statement);
  return keyset.page(rows, toMember);
}

/** Somebody who belongs to the workspace now. @throws DomainError `NOT_FOUND` */
export async function findMember(em: EntityManager, workspaceId: string, id: string): Promise<Member> {
  const one = part`${MEMBERS} where workspace_id = ${workspaceId} and id = ${id} and left_at is null`;
  const [row] = isId(id) ? await readComposed<Row>(em, one) : [];
  if (!row) throw notFound('The member');
  return toMember(row);
}

const MEMBERS = part`select id, name, email, role, account_id as "accountId", left_at as "leftAt",
    created_at as "createdAt", updated_at as "updatedAt"
  from membership`;

type Row = Omit<Member, 'hasAccount'> & { accountId: string | null; updatedAt: string };

function toMember({ accountId, createdAt, leftAt, ...row }: Row): Member {
  const { id, name, email, role } = row;
  return {
    ...{ id, name, email, role },
    hasAccount: accountId !== null,
    createdAt: toInstant(createdAt),
    leftAt: leftAt === null ? null : toInstant(leftAt),
  };
}

/** A workspace that somebody belongs to, and as what. */
export interface OwnMembership {
  workspaceId: string;
  workspaceName: string;
  membershipId: string;
  role: Role;
}

/** Where the person belongs right now, by the names of the workspaces; in one of them, if it is named. */
export async function membershipsOfAccount(
  em: EntityManager,
  accountId: string,
  workspaceId?: string,
): Promise<OwnMembership[]> {
  let found = em
    .getKysely<WorkspacesRows>()
    .selectFrom('membership as m')
    .innerJoin('business as b', 'b.id', 'm.workspace_id')
    .where('m.account_id', '=', accountId)
    .where('m.left_at', 'is', null);
  if (workspaceId !== undefined) found = found.where('m.workspace_id', '=', workspaceId);
  return await found
    .select(['m.workspace_id as workspaceId', 'b.name as workspaceName', 'm.id as membershipId', 'm.role'])
    .orderBy('b.name')
    .orderBy('b.id')
    .execute();
}

export interface SignedUpMember {
  membershipId: string;
  accountId: string;
}

/** Who signs in with this address and belongs to the workspace now, or null. */
export async function memberOfEmail(
  em: EntityManager,
  workspaceId: string,
  email: string,
): Promise<SignedUpMember | null> {
  if (!isId(workspaceId)) return null;
  const [member] = await readComposed<SignedUpMember>(
    em,
    part`select m.id as "membershipId", a.id as "accountId"
      from membership m join account a on a.id = m.account_id
      where m.workspace_id = ${workspaceId} and m.left_at is null and a.email = ${normalizeEmail(email)}`,
  );
  return member ?? null;
}

export interface WaitingMembership {
  workspaceId: string;
  membershipId: string;
  name: string;
}

/** In every workspace, the members of this address who cannot sign in yet. For operators. */
export async function membershipsWithoutAccount(em: EntityManager, email: string): Promise<WaitingMembership[]> {
  return await em
    .getKysely<WorkspacesRows>()
    .selectFrom('membership')
    .where('email', '=', email)
    .where('account_id', 'is', null)
    .where('left_at', 'is', null)
    .select(['workspace_id as workspaceId', 'id as membershipId', 'name'])
    .execute();
}

export interface AccountOfEmail {
  id: string;
  name: string;
  /** Where it belongs right now. */
  workspaceIds: string[];
}

/** Every account with this address, which anybody may have been invited with. For operators. */
export async function accountsOfEmail(em: EntityManager, email: string): Promise<AccountOfEmail[]> {
  return await readComposed<AccountOfEmail>(
    em,
    part`select a.id, a.name, coalesce(array_agg(m.workspace_id::text) filter (where m.id is not null), '{}') as "workspaceIds"
      from account a left join membership m on m.account_id = a.id and m.left_at is null
      where a.email = ${email}
      group by a.id order by a.created_at, a.id`,
  );
}
