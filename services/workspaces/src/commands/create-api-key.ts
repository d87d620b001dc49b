import { MANAGERS, newId, notFound, refuseProblems, type Scope } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { problemsOfExpiry, problemsOfScopes, readExpiry } from '../domain/api-key.js';
import { requireOwner } from '../domain/permissions.js';
import { problemsOfName } from '../domain/problems.js';
import type { ApiKey } from '../domain/workspace.js';
import { ApiKeyTable, MembershipTable } from '../store/tables.js';
import { toApiKey } from '../store/to-api-key.js';
import { requireRecentPassword } from './require-recent-password.js';

/** Made by the caller together with the secret, which never comes here. */
export interface KeyProof {
  id: string;
  secretHash: string;
}

export interface CreateApiKey extends KeyProof {
  memberId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: string;
}

/** A key that acts as a member, with a principal of its own. */
export const createApiKey = defineCommand(
  'api-key.create',
  MANAGERS,
  async (tx, input: CreateApiKey): Promise<ApiKey> => {
    requireOwner(tx.origin.actor, input.memberId);
    await requireRecentPassword(tx);
    const { workspaceId } = tx;
    const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
    const member = members.find(({ id }) => id === input.memberId);
    if (!member) throw notFound('The member');
    refuseProblems(
      [
        ...problemsOfName('name', input.name),
        ...problemsOfScopes(input.scopes, member.role),
        ...problemsOfExpiry(input.expiresAt, tx.now),
      ],
      'A key has a name, scopes that the role of its member allows, and an expiresAt in the future.',
    );
    const expiresAt = readExpiry(input.expiresAt);
    const key = tx.em.create(ApiKeyTable, {
      id: input.id,
      workspaceId,
      principalId: newId(),
      membershipId: member.id,
      name: input.name,
      scopes: [...new Set(input.scopes)],
      secretHash: input.secretHash,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
      createdAt: tx.now,
    });
    tx.em.persist(key);
    const { name, scopes, principalId } = key;
    tx.audit('api-key.created', key.id, { member: member.id, principalId, name, scopes, expiresAt });
    return toApiKey(key);
  },
);
