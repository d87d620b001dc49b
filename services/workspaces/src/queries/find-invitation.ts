import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant, type Role } from '@payroll/kernel';
import { sql } from 'kysely';
import { isOpen } from '../domain/invitation.js';
import type { WorkspacesRows } from '../store/schema.js';

/** What the holder of an invitation's link is shown. */
export interface OpenInvitation {
  invitationId: string;
  workspaceId: string;
  workspaceName: string;
  name: string;
  email: string;
  role: Role;
}

export async function findInvitation(em: EntityManager, secretHash: string): Promise<OpenInvitation | null> {
  const row = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('invitation as i')
    .innerJoin('business as b', 'b.id', 'i.workspace_id')
    .where('i.secret_hash', '=', secretHash)
    .select([
      'i.id as invitationId',
      'i.workspace_id as workspaceId',
      'b.name as workspaceName',
      'i.name',
      'i.email',
      'i.role',
    ])
    .select(['i.accepted_at as acceptedAt', 'i.revoked_at as revokedAt', 'i.expires_at as expiresAt'])
    .select(sql<string>`now()`.as('now'))
    .executeTakeFirst();
  if (!row) return null;
  const { acceptedAt, revokedAt, expiresAt, now, ...invitation } = row;
  return isOpen({ acceptedAt, revokedAt, expiresAt: toInstant(expiresAt) }, toInstant(now)) ? invitation : null;
}
