import { daysAfter, throwIfInvalid, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { columns, sql, type TableRow } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { MAX_DAYS, problemsOfToken } from '../domain/credentials.js';
import { InternalTokenTable } from '../store/tables.js';
import type { SigningKeyTable } from '../store/oauth-tables.js';

/** Internal tokens and signing keys belong to no workspace: their audit entries use this id, which no workspace has. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

type CreateInternalToken = Omit<TableRow<typeof InternalTokenTable>, 'revokedAt' | 'createdAt'>;

export const createInternalToken = defineCommand('internal-token.create', {
  who: SYSTEM_ONLY,
  decide: (tx, { id, secretHash, ...input }: CreateInternalToken): void => {
    const given = { ...input, owner: input.owner === null ? null : normalizeEmail(input.owner) };
    const latest = daysAfter(tx.now, MAX_DAYS[given.team]);
    throwIfInvalid(
      problemsOfToken(given, { now: tx.now, latest }),
      `A token needs a name of 1 to 200 characters, the owner's email address (optional for a service), and an end within ${MAX_DAYS[given.team]} days.`,
    );
    tx.insert(InternalTokenTable, { id, ...given, secretHash, revokedAt: null });
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

interface RotateSigningKey {
  key: Pick<TableRow<typeof SigningKeyTable>, 'kid' | 'sealed'>;
  leadSeconds: number;
  withdrawOthers: boolean;
}

/**
 * The new key signs after `leadSeconds`, when every process has published it. Tokens signed by withdrawn keys are no
 * longer valid.
 */
export const rotateSigningKey = defineCommand('signing-key.rotate', {
  who: SYSTEM_ONLY,
  decide: (tx, { key, leadSeconds, withdrawOthers }: RotateSigningKey): void => {
    if (withdrawOthers) {
      tx.write(sql`update signing_key set withdrawn_at = clock_timestamp() where withdrawn_at is null`);
    }
    tx.write(sql`insert into signing_key (kid, sealed, created_at, signs_from)
      values (${key.kid}, ${key.sealed}, clock_timestamp(), clock_timestamp() + ${`${leadSeconds} s`}::interval)`);
    tx.audit('signing-key.rotated', tx.workspaceId, { kid: key.kid, leadSeconds, withdrawOthers });
  },
});
