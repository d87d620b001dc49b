import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, toInstant } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Member } from '../domain/workspace.js';

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
