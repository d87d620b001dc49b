import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { InternalTokenTable } from '../store/tables.js';

/** One token, or all that a person holds. */
export type RevokeInternalTokens = { id: string } | { owner: string };

/** From the next request on they open nothing. Gives the ids of those that did until now. */
export const revokeInternalTokens = defineCommand(
  'internal-token.revoke',
  SYSTEM_ONLY,
  async (tx, which: RevokeInternalTokens): Promise<string[]> => {
    const tokens = await tx.em.find(InternalTokenTable, { ...which, revokedAt: null }, { orderBy: { id: 'asc' } });
    for (const token of tokens) {
      token.revokedAt = tx.now;
      const { name, owner, team } = token;
      tx.audit('internal-token.revoked', token.id, { name, owner, team });
    }
    return tokens.map(({ id }) => id);
  },
);
