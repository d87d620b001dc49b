import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, toInstant } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Member } from '../domain/workspace.js';
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
  const keyset = new Keyset({ workspaceId, filters: { of: 'members', includeLeft }, limit, cursor });
  let page = selectMembers(em, workspaceId).where(keyset.where('membership'));
  if (!includeLeft) page = page.where('left_at', 'is', null);
  const rows = await page.orderBy(keyset.orderBy('membership')).limit(keyset.rowLimit).execute();
  return keyset.page(rows, toMember);
}

/** Somebody who belongs to the workspace now. @throws DomainError `NOT_FOUND` */
export async function findMember(em: EntityManager, workspaceId: string, id: string): Promise<Member> {
  const found = isId(id) ? selectMembers(em, workspaceId).where('id', '=', id).where('left_at', 'is', null) : undefined;
  const row = await found?.executeTakeFirst();
  if (!row) throw notFound('The member');
  return toMember(row);
}

function selectMembers(em: EntityManager, workspaceId: string) {
  return em
    .getKysely<WorkspacesRows>()
    .selectFrom('membership')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'name', 'email', 'role', 'account_id as accountId', 'left_at as leftAt'])
    .select(['created_at as createdAt', 'updated_at as updatedAt']);
}

function toMember({
  accountId,
  createdAt,
  leftAt,
  ...row
}: Omit<Member, 'hasAccount'> & { accountId: string | null }): Member {
  const { id, name, email, role } = row;
  return {
    ...{ id, name, email, role },
    hasAccount: accountId !== null,
    createdAt: toInstant(createdAt),
    leftAt: leftAt === null ? null : toInstant(leftAt),
  };
}
