import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Invitation } from '../domain/workspace.js';
import type { WorkspacesRows } from '../store/schema.js';

/** Those that nobody has accepted and nobody has taken back, newest first; expired ones too. */
export async function listInvitations(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<Invitation>> {
  const keyset = new Keyset({ workspaceId, filters: { of: 'invitations' }, ...page });
  const rows = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('invitation')
    .where('workspace_id', '=', workspaceId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where(keyset.where('invitation'))
    .select(['id', 'name', 'email', 'role', 'expires_at as expiresAt'])
    .select(['created_at as createdAt', 'created_at as updatedAt'])
    .orderBy(keyset.orderBy('invitation'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, ({ id, name, email, role, expiresAt, createdAt }) => ({
    ...{ id, name, email, role },
    expiresAt: toInstant(expiresAt),
    acceptedAt: null,
    revokedAt: null,
    createdAt: toInstant(createdAt),
  }));
}
