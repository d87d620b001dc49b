import type { EntityManager } from '@mikro-orm/postgresql';
import { as, columns, list, read, sql, type Page } from '@payroll/store';
import { isOpen } from '../domain/member.js';
import { InvitationTable } from '../store/account-tables.js';
import { invitations, type Invitation, type Paging } from '../store/views.js';

/** Those that nobody has accepted and nobody has taken back, newest first; expired ones too. */
export async function listInvitations(
  em: EntityManager,
  workspaceId: string,
  paging: Paging,
): Promise<Page<Invitation>> {
  const conditions = [sql`accepted_at is null`, sql`revoked_at is null`];
  return await list(em, invitations, { workspaceId, filters: { of: 'invitations' }, conditions, ...paging });
}

/** What the holder of an invitation's link is shown. */
export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

export async function findInvitation(em: EntityManager, secretHash: string) {
  const shown = columns(InvitationTable, 'workspaceId', 'name', 'email', 'role');
  const [row] = await read(
    em,
    sql`select ${as('invitationId', 'uuid', sql`invitation.id`)}, ${shown},
        ${as('workspaceName', 'text', sql`business.name`)},
        ${columns(InvitationTable, 'acceptedAt', 'revokedAt', 'expiresAt')}, ${as('now', 'timestamptz', sql`now()`)}
      from invitation join business on business.id = invitation.workspace_id
      where invitation.secret_hash = ${secretHash}`,
  );
  if (!row) return null;
  const { acceptedAt, revokedAt, expiresAt, now, ...invitation } = row;
  return isOpen({ acceptedAt, revokedAt, expiresAt }, now) ? invitation : null;
}
