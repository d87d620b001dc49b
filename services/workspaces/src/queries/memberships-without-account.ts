import type { EntityManager } from '@mikro-orm/postgresql';
import type { WorkspacesRows } from '../store/schema.js';

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
