import {
  DomainError,
  isInstant,
  newId,
  notFound,
  requireInternal,
  ROLE_SCOPES,
  toInstant,
  type Scope,
} from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { ApiKey } from '../domain/workspace.js';
import { ApiKeyTable, MembershipTable } from '../store/tables.js';

export interface CreateApiKey {
  /** Made by the caller together with the secret, which never comes here. */
  id: string;
  secretHash: string;
  memberId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: string;
}

/** A key that acts as a member, with a principal of its own. */
export const createApiKey = defineCommand('api-key.create', async (tx, input: CreateApiKey): Promise<ApiKey> => {
  requireInternal(tx.origin.actor);
  const { workspaceId } = tx;
  const member = await tx.em.findOne(MembershipTable, { workspaceId, id: input.memberId, leftAt: null });
  if (!member) throw notFound('The member');
  const beyond = input.scopes.filter((scope) => !ROLE_SCOPES[member.role].includes(scope));
  if (beyond.length > 0) throw invalid('scopes', 'beyond_role', `A ${member.role} cannot give ${beyond.join(', ')}.`);
  if (!isInstant(input.expiresAt) || input.expiresAt <= tx.now) {
    throw invalid('expiresAt', 'past', 'expiresAt lies in the future.');
  }
  const key = tx.em.create(ApiKeyTable, {
    id: input.id,
    workspaceId,
    principalId: newId(),
    membershipId: member.id,
    name: input.name,
    scopes: [...input.scopes],
    secretHash: input.secretHash,
    expiresAt: toInstant(input.expiresAt),
    revokedAt: null,
    createdAt: tx.now,
  });
  tx.em.persist(key);
  tx.audit('api-key.created', key.id, { member: member.id, scopes: input.scopes, expiresAt: key.expiresAt });
  const { id, name, principalId, scopes, expiresAt, revokedAt, createdAt } = key;
  return { id, name, principalId, memberId: member.id, scopes, expiresAt, revokedAt, createdAt };
});

function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}
