import type { EntityManager } from '@mikro-orm/postgresql';
import type { Role } from '@payroll/kernel';
import type { WorkspacesRows } from '../store/schema.js';

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
