import { DomainError, isId, MANAGERS, notFound, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireOwner } from '../domain/permissions.js';
import { problemsOfExpiry, readExpiry } from '../domain/api-key.js';
import type { ApiKey } from '../domain/workspace.js';
import { ApiKeyTable } from '../store/tables.js';
import { toApiKey } from '../store/to-api-key.js';
import type { KeyProof } from './create-api-key.js';
import { requireRecentPassword } from './require-recent-password.js';

export interface RotateApiKey extends KeyProof {
  /** The key that the new one takes the place of. */
  replaces: string;
  expiresAt: string;
}

/**
 * A new key for the same principal, so that its references and idempotency go on (public-api.md §5): for the member whom
 * the old one acts for. The old one lives until it is revoked, for the new one to reach the secret store.
 */
export const rotateApiKey = defineCommand(
  'api-key.rotate',
  MANAGERS,
  async (tx, input: RotateApiKey): Promise<ApiKey> => {
    await requireRecentPassword(tx);
    const { replaces, id, secretHash } = input;
    const old = isId(replaces) ? await tx.em.findOne(ApiKeyTable, { workspaceId: tx.workspaceId, id: replaces }) : null;
    if (!old) throw notFound('The API key');
    requireOwner(tx.origin.actor, old.membershipId);
    if (old.revokedAt !== null) throw new DomainError('INVALID_STATE', 'The key is revoked, for ever; make a new one.');
    refuseProblems(problemsOfExpiry(input.expiresAt, tx.now), 'expiresAt lies in the future.');
    const expiresAt = readExpiry(input.expiresAt);
    const { workspaceId, principalId, membershipId, name, scopes } = old;
    const key = tx.em.create(ApiKeyTable, {
      ...{ id, workspaceId, principalId, membershipId, name, scopes, secretHash },
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: tx.now,
    });
    tx.em.persist(key);
    tx.audit('api-key.rotated', key.id, { replaces: old.id, principalId, scopes, expiresAt });
    return toApiKey(key);
  },
);
