import { DomainError, MANAGERS, newId, notFound, refuseProblems, type Scope } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { type ApiKey, toApiKey } from '../store/views.js';
import { problemsOfExpiry, problemsOfScopes, readExpiry } from '../domain/api-key.js';
import { requireOwner } from '../domain/member.js';
import { problemsOfName } from '../domain/workspace.js';
import { ApiKeyTable, MembershipTable } from '../store/tables.js';
import { endKey, requireRecentPassword } from './access.js';
import { findMember } from './members.js';

type Key = TableRow<typeof ApiKeyTable>;
/**
 * The caller makes the secret, which never comes here. Its hash is no part of the input: sent again, the same operation has
 * another secret, and is answered with the key of the first.
 */
type SecretHash = Key['secretHash'];
type NewKey = Pick<Key, 'id'> & { expiresAt: string };
type CreateApiKey = NewKey & { memberId: string; name: string; scopes: readonly Scope[] };
type RotateApiKey = NewKey & { replaces: string };

const WHO = { ...MANAGERS, needsRecentPassword: true } as const;

/** A key that acts as a member, with a principal of its own. */
export function createApiKey(secretHash: SecretHash): Command<CreateApiKey, ApiKey> {
  const decide = async (tx: CommandTransaction, input: CreateApiKey): Promise<ApiKey> => {
    const { id, memberId: membershipId, name } = input;
    requireOwner(tx.origin.actor, membershipId);
    await requireRecentPassword(tx);
    const { member } = await findMember(tx, membershipId);
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
    const key = create(tx, { id, principalId, membershipId, name, scopes, secretHash, expiresAt });
    tx.audit('api-key.created', id, { member: membershipId, principalId, name, scopes, expiresAt });
    return toApiKey({ ...key, memberName: member.name });
  };
  return defineCommand('api-key.create', { who: WHO, decide });
}

function create(
  tx: CommandTransaction,
  given: Omit<Key, 'workspaceId' | 'revokedAt' | 'lastUsedAt' | 'createdAt'>,
): Key {
  const { workspaceId, now: createdAt } = tx;
  return tx.insert(ApiKeyTable, { ...given, workspaceId, revokedAt: null, lastUsedAt: null, createdAt });
}

/**
 * A new key for the principal and member of the old one, which keeps references and idempotency (public-api.md §5). The
 * old one lives until it is revoked: the new one has to reach the secret store first.
 */
export function rotateApiKey(secretHash: SecretHash): Command<RotateApiKey, ApiKey> {
  const decide = async (tx: CommandTransaction, { replaces, id, ...input }: RotateApiKey): Promise<ApiKey> => {
    await requireRecentPassword(tx);
    const old = await tx.lock(ApiKeyTable, replaces);
    if (!old) throw notFound('The API key');
    requireOwner(tx.origin.actor, old.membershipId);
    if (old.revokedAt !== null) throw new DomainError('INVALID_STATE', 'The key is revoked, for ever; make a new one.');
    refuseProblems(problemsOfExpiry(input.expiresAt, tx.now), 'expiresAt lies in the future.');
    const expiresAt = readExpiry(input.expiresAt);
    const { principalId, membershipId, name, scopes } = old;
    const key = create(tx, { id, principalId, membershipId, name, scopes, secretHash, expiresAt });
    tx.audit('api-key.rotated', id, { name, replaces: old.id, principalId, scopes, expiresAt });
    return toApiKey({ ...key, memberName: await memberNameOf(tx, membershipId) });
  };
  return defineCommand('api-key.rotate', { who: WHO, decide });
}

export const revokeApiKey = defineCommand('api-key.revoke', {
  who: MANAGERS,
  decide: async (tx, { id }: { id: string }) => {
    const key = await tx.lock(ApiKeyTable, id);
    if (!key) throw notFound('The API key');
    const ended = key.revokedAt === null ? endKey(tx, key) : key;
    return toApiKey({ ...ended, memberName: await memberNameOf(tx, key.membershipId) });
  },
});

/** The name of a key's member, who may have left. */
async function memberNameOf(tx: CommandTransaction, id: string): Promise<string> {
  const member = await tx.find(MembershipTable, { id });
  return member!.name;
}
