import { daysAfter, throwIfInvalid, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import { MAX_DAYS, ownerOf, problemsOfToken } from '../domain/credentials.js';
import { InternalTokenTable } from '../store/tables.js';

/** Internal tokens belong to no workspace: their audit entries use this id, which no workspace has. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

type CreateInternalToken = Omit<TableRow<typeof InternalTokenTable>, 'revokedAt' | 'createdAt'>;

export const createInternalToken = defineCommand('internal-token.create', {
  who: SYSTEM_ONLY,
  decide: (tx, { id, secretHash, ...input }: CreateInternalToken): void => {
    const given = { ...input, owner: input.owner === null ? null : ownerOf(input.owner) };
    const latest = daysAfter(tx.now, MAX_DAYS[given.team]);
    throwIfInvalid(
      problemsOfToken(given, { now: tx.now, latest }),
      `A token needs a name of 1 to 200 characters, the owner's email address (optional for a service), and an end within ${MAX_DAYS[given.team]} days.`,
    );
    tx.insert(InternalTokenTable, { id, ...given, secretHash, revokedAt: null, createdAt: tx.now });
    tx.audit('internal-token.created', id, given);
  },
});

/** Returns the ids that it has revoked; leaves out tokens that already were. */
export const revokeInternalTokens = defineCommand('internal-token.revoke', {
  who: SYSTEM_ONLY,
  decide: async (tx, which: { id: string } | { owner: string }): Promise<string[]> => {
    const those = 'id' in which ? sql`id = ${which.id}` : sql`owner = ${which.owner}`;
    const tokens = await tx.read(
      sql`select ${columns(InternalTokenTable)} from internal_token where ${those} and revoked_at is null order by id`,
    );
    for (const token of tokens) {
      tx.update(InternalTokenTable, token, { revokedAt: tx.now });
      const { name, owner, team } = token;
      tx.audit('internal-token.revoked', token.id, { name, owner, team });
    }
    return tokens.map(({ id }) => id);
  },
});
