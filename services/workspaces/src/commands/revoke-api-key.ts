import { isId, notFound, requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { ApiKey } from '../domain/workspace.js';
import { ApiKeyTable } from '../store/tables.js';

/** For ever, from the next request on. */
export const revokeApiKey = defineCommand('api-key.revoke', async (tx, { id }: { id: string }): Promise<ApiKey> => {
  requireInternal(tx.origin.actor);
  const key = isId(id) ? await tx.em.findOne(ApiKeyTable, { workspaceId: tx.workspaceId, id }) : null;
  if (!key) throw notFound('The API key');
  key.revokedAt ??= tx.now;
  tx.audit('api-key.revoked', key.id, {});
  const { name, principalId, membershipId, scopes, expiresAt, revokedAt, createdAt } = key;
  return { id, name, principalId, memberId: membershipId, scopes, expiresAt, revokedAt, createdAt };
});
