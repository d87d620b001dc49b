import type { EntityManager } from '@mikro-orm/postgresql';
import { type Role, toInstant } from '@payroll/kernel';
import { Keyset, type Page, part, readComposed } from '@payroll/store';
import { sql } from 'kysely';
import { type Invitation, isOpen } from '../domain/member.js';
import type { WorkspacesRows } from '../store/schema.js';

/** Those that nobody has accepted and nobody has taken back, newest first; expired ones too. */
export async function listInvitations(
  em: EntityManager,
  workspaceId: string,
  page: { limit: number; cursor?: string | null | undefined },
): Promise<Page<Invitation>> {
  const keyset = new Keyset({ list: 'invitations', workspaceId, filters: { of: 'invitations' }, ...page });
  const open = [part`accepted_at is null`, part`revoked_at is null`];
  const rows = await readComposed<Row>(em, keyset.statement(INVITATIONS, 'invitation', open));
  return keyset.page(rows, ({ id, name, email, role, expiresAt, createdAt }) => ({
    ...{ id, name, email, role },
    expiresAt: toInstant(expiresAt),
    acceptedAt: null,
    revokedAt: null,
    createdAt: toInstant(createdAt),
  }));
}

const INVITATIONS = part`select id, name, email, role, expires_at as "expiresAt", created_at as "createdAt",
    created_at as "updatedAt"
  from invitation`;

type Row = Omit<Invitation, 'acceptedAt' | 'revokedAt'> & { updatedAt: string };

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
