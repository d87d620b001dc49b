import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
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
  let page = em
    .getKysely<WorkspacesRows>()
    .selectFrom('membership')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('membership'));
  if (!includeLeft) page = page.where('left_at', 'is', null);
  const rows = await page
    .select(['id', 'name', 'email', 'role', 'left_at as leftAt', 'created_at as createdAt', 'updated_at as updatedAt'])
    .orderBy(keyset.orderBy('membership'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, ({ id, name, email, role, createdAt, leftAt }) => ({
    ...{ id, name, email, role },
    createdAt: toInstant(createdAt),
    leftAt: leftAt === null ? null : toInstant(leftAt),
  }));
}
