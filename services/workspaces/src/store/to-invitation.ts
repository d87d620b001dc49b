import type { InferEntity } from '@mikro-orm/core';
import type { Invitation } from '../domain/member.js';
import type { InvitationTable } from './account-tables.js';

/** Never with the hash of its link. */
export function toInvitation(row: InferEntity<typeof InvitationTable>): Invitation {
  const { id, name, email, role, expiresAt, acceptedAt, revokedAt, createdAt } = row;
  return { id, name, email, role, expiresAt, acceptedAt, revokedAt, createdAt };
}
