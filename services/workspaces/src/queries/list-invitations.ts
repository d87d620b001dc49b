import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Invitation } from '../domain/workspace.js';

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
