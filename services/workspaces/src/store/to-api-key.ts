import type { InferEntity } from '@mikro-orm/core';
import type { ApiKey } from '../domain/api-key.js';
import type { ApiKeyTable } from './tables.js';

/** Never with the hash of the secret. */
export function toApiKey(row: InferEntity<typeof ApiKeyTable>): ApiKey {
  const { id, name, principalId, membershipId, scopes, expiresAt, revokedAt, lastUsedAt, createdAt } = row;
  return { id, name, principalId, memberId: membershipId, scopes, expiresAt, revokedAt, lastUsedAt, createdAt };
}
