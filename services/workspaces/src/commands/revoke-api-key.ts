import type { InferEntity } from '@mikro-orm/core';
import { isId, MANAGERS, notFound } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import type { ApiKey } from '../domain/workspace.js';
import { ApiKeyTable } from '../store/tables.js';
import { toApiKey } from '../store/to-api-key.js';

/** For ever, from the next request on. */
export const revokeApiKey = defineCommand(
  'api-key.revoke',
  MANAGERS,
  async (tx, { id }: { id: string }): Promise<ApiKey> => {
    const key = isId(id) ? await tx.em.findOne(ApiKeyTable, { workspaceId: tx.workspaceId, id }) : null;
    if (!key) throw notFound('The API key');
    if (key.revokedAt === null) revoke(tx, key);
    return toApiKey(key);
  },
);

export function revoke(tx: CommandTransaction, key: InferEntity<typeof ApiKeyTable>): void {
  key.revokedAt = tx.now;
  tx.audit('api-key.revoked', key.id, { revokedAt: { from: null, to: tx.now } });
}
