import { DomainError, MANAGERS, newId, notFound, refuseProblems, type Scope } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { type ApiKey, toApiKey } from '../store/views.js';
import { problemsOfExpiry, problemsOfScopes, readExpiry } from '../domain/api-key.js';
import { requireOwner } from '../domain/member.js';
import { problemsOfName } from '../domain/workspace.js';
import { ApiKeyTable, MembershipTable } from '../store/tables.js';
import { endKey, findOwn, requireRecentPassword } from './access.js';

/** Made by the caller together with the secret, which never comes here. */
interface KeyProof {
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
export const createApiKey = defineCommand('api-key.create', MANAGERS, async (tx, input: CreateApiKey) => {
  const { id, secretHash, memberId: membershipId, name } = input;
  requireOwner(tx.origin.actor, membershipId);
  await requireRecentPassword(tx);
  const { workspaceId } = tx;
  const members = await tx.em.find(MembershipTable, { workspaceId, leftAt: null });
  const member = members.find((each) => each.id === membershipId);
  if (!member) throw notFound('The member');
  refuseProblems(
    [
      ...problemsOfName('name', name),
      ...problemsOfScopes(input.scopes, member.role),
      ...problemsOfExpiry(input.expiresAt, tx.now),
    ],
    'A key has a name, scopes that the role of its member allows, and an expiresAt in the future.',
  );
  const principalId = newId();
  const scopes = [...new Set(input.scopes)];
  const expiresAt = readExpiry(input.expiresAt);
  const key = tx.em.create(ApiKeyTable, {
    ...{ id, workspaceId, principalId, membershipId, name, scopes, secretHash, expiresAt },
    ...{ revokedAt: null, lastUsedAt: null, createdAt: tx.now },
  });
  tx.audit('api-key.created', id, { member: membershipId, principalId, name, scopes, expiresAt });
  return toApiKey(key);
});

export interface RotateApiKey extends KeyProof {
  /** The key that the new one takes the place of. */
  replaces: string;
  expiresAt: string;
}

/**
 * A new key for the principal and member of the old one, so that its references and idempotency go on (public-api.md §5).
 * The old one lives until it is revoked: the new one has to reach the secret store first.
 */
export const rotateApiKey = defineCommand(
  'api-key.rotate',
  MANAGERS,
  async (tx, { replaces, id, secretHash, ...input }: RotateApiKey): Promise<ApiKey> => {
    await requireRecentPassword(tx);
    const old = await findOwn(tx, ApiKeyTable, replaces, 'The API key');
    requireOwner(tx.origin.actor, old.membershipId);
    if (old.revokedAt !== null) throw new DomainError('INVALID_STATE', 'The key is revoked, for ever; make a new one.');
    refuseProblems(problemsOfExpiry(input.expiresAt, tx.now), 'expiresAt lies in the future.');
    const expiresAt = readExpiry(input.expiresAt);
    const { workspaceId, principalId, membershipId, name, scopes } = old;
    const key = tx.em.create(ApiKeyTable, {
      ...{ id, workspaceId, principalId, membershipId, name, scopes, secretHash, expiresAt },
      ...{ revokedAt: null, lastUsedAt: null, createdAt: tx.now },
    });
    tx.audit('api-key.rotated', id, { replaces: old.id, principalId, scopes, expiresAt });
    return toApiKey(key);
  },
);

/** For ever, from the next request on. */
export const revokeApiKey = defineCommand('api-key.revoke', MANAGERS, async (tx, { id }: { id: string }) => {
  const key = await findOwn(tx, ApiKeyTable, id, 'The API key');
  if (key.revokedAt === null) endKey(tx, key);
  return toApiKey(key);
});
