import { DomainError, ADMINS_OR_INTERNAL, newId, requireFound, throwIfInvalid, type Scope } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { type ApiKey, toApiKey } from '../store/views.js';
import { problemsOfExpiry, problemsOfScopes, readExpiry } from '../domain/credentials.js';
import { requireOwner } from '../domain/member.js';
import { problemsOfName } from '../domain/workspace.js';
import { ApiKeyTable, MembershipTable } from '../store/tables.js';
import { endKey, requireRecentPassword } from './access.js';
import { findMember } from './members.js';

type Key = TableRow<typeof ApiKeyTable>;
/**
 * The caller creates the secret; only its hash gets here. The hash is not part of the input: a repeated operation has
 * another secret and returns the key of the first.
 */
type SecretHash = Key['secretHash'];
type NewKey = Pick<Key, 'id'> & { expiresAt: string };
type CreateApiKey = NewKey & { memberId: string; name: string; scopes: readonly Scope[] };
type RotateApiKey = NewKey & { replaces: string };

const WHO = { ...ADMINS_OR_INTERNAL, needsRecentPassword: true } as const;

/** A key that acts for a member, with a principal of its own. */
export function createApiKey(secretHash: SecretHash): Command<CreateApiKey, ApiKey> {
  const decide = async (tx: CommandTransaction, input: CreateApiKey): Promise<ApiKey> => {
    const { id, memberId: membershipId, name } = input;
    requireOwner(tx.origin.actor, membershipId);
    await requireRecentPassword(tx);
    const member = await findMember(tx, membershipId);
    throwIfInvalid(
      [
        ...problemsOfName('name', name),
        ...problemsOfScopes(input.scopes, member.role),
        ...problemsOfExpiry(input.expiresAt, tx.now),
      ],
      "A key needs a name, scopes that its member's role allows, and an expiresAt in the future.",
    );
    const principalId = newId();
    const scopes = [...new Set(input.scopes)];
    const expiresAt = readExpiry(input.expiresAt);
    const key = insertKey(tx, { id, principalId, membershipId, name, scopes, secretHash, expiresAt });
    tx.audit('api-key.created', id, { member: membershipId, principalId, name, scopes, expiresAt });
    return toApiKey({ ...key, memberName: member.name });
  };
  return defineCommand('api-key.create', { who: WHO, decide });
}

type UnusedKey = Omit<Key, 'workspaceId' | 'createdAt' | 'revokedAt' | 'lastUsedAt'>;

const insertKey = (tx: CommandTransaction, given: UnusedKey): Key =>
  tx.insert(ApiKeyTable, { ...given, revokedAt: null, lastUsedAt: null });

/**
 * A new key for the old one's principal and member, which keeps references and idempotency keys (public-api.md §5).
 * The old one stays valid until it is revoked: the new secret has to reach the secret store first.
 */
export function rotateApiKey(secretHash: SecretHash): Command<RotateApiKey, ApiKey> {
  const decide = async (tx: CommandTransaction, { replaces, id, ...input }: RotateApiKey): Promise<ApiKey> => {
    await requireRecentPassword(tx);
    const old = requireFound(await tx.lock(ApiKeyTable, replaces), 'The API key');
    requireOwner(tx.origin.actor, old.membershipId);
    if (old.revokedAt !== null)
      throw new DomainError('INVALID_STATE', 'The key is permanently revoked; create a new one.');
    throwIfInvalid(problemsOfExpiry(input.expiresAt, tx.now), 'expiresAt must be in the future.');
    const expiresAt = readExpiry(input.expiresAt);
    const { principalId, membershipId, name, scopes } = old;
    const key = insertKey(tx, { id, principalId, membershipId, name, scopes, secretHash, expiresAt });
    tx.audit('api-key.rotated', id, { name, replaces: old.id, principalId, scopes, expiresAt });
    return toApiKey({ ...key, memberName: await memberNameOf(tx, membershipId) });
  };
  return defineCommand('api-key.rotate', { who: WHO, decide });
}

export const revokeApiKey = defineCommand('api-key.revoke', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, { id }: { id: string }) => {
    const key = requireFound(await tx.lock(ApiKeyTable, id), 'The API key');
    const ended = key.revokedAt === null ? endKey(tx, key) : key;
    return toApiKey({ ...ended, memberName: await memberNameOf(tx, key.membershipId) });
  },
});

/** The name of a key's member, who may have left. */
async function memberNameOf(tx: CommandTransaction, id: string): Promise<string> {
  const member = await tx.find(MembershipTable, { id });
  return member!.name;
}
