import { DomainError, isSignedIn, NOBODY, notFound } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql } from '@payroll/store';
import { tellAccount } from '../mail/outbox.js';
import { SecondFactorTable } from '../store/account-tables.js';

interface Own {
  accountId: string;
}

type WithRecoveryCodes = Own & { recoveryHashes: readonly string[] };
type Told = Own & { sendsMail: boolean };
type NewFactor = WithRecoveryCodes & Told & { sealed: string; step: number };

const OWNER = { ...NOBODY, own: ({ accountId }: Own) => accountId, needsRecentPassword: true } as const;

/** With the step of the code that proved it, which counts no more. */
export const setSecondFactor = defineCommand('account.set-second-factor', {
  who: OWNER,
  decide: async (tx, { accountId, sealed, step, recoveryHashes, sendsMail }: NewFactor): Promise<void> => {
    const { actor } = tx.origin;
    const before = await tx.findAnywhere(SecondFactorTable, { accountId });
    if (before && (before.resetAt === null || before.resetAt > tx.now)) {
      throw new DomainError('INVALID_STATE', 'This account has a second factor already. Remove it to set up another.');
    }
    if (before) tx.remove(SecondFactorTable, before);
    tx.insert(SecondFactorTable, { accountId, sealed, lastStep: step, setAt: tx.now, resetAt: null, stopHash: null });
    replaceRecoveryCodes(tx, { accountId, recoveryHashes });
    distrustBrowsers(tx, accountId);
    // Only the session that set it up has given both.
    tx.write(sql`update session set authenticated_at = 'epoch'
      where account_id = ${accountId} and id is distinct from ${isSignedIn(actor) ? actor.sessionId : null}`);
    if (sendsMail) tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'second_factor_set' }));
    tx.audit('account.second-factor-set', accountId, {});
  },
});

export const removeSecondFactor = defineCommand('account.remove-second-factor', {
  who: OWNER,
  decide: async (tx, { accountId, sendsMail }: Told): Promise<void> => {
    tx.remove(SecondFactorTable, await requireFactor(tx, accountId));
    replaceRecoveryCodes(tx, { accountId, recoveryHashes: [] });
    distrustBrowsers(tx, accountId);
    if (sendsMail) tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'second_factor_removed' }));
    tx.audit('account.second-factor-removed', accountId, {});
  },
});

export const renewRecoveryCodes = defineCommand('account.renew-recovery-codes', {
  who: OWNER,
  decide: async (tx, input: WithRecoveryCodes): Promise<void> => {
    await requireFactor(tx, input.accountId);
    replaceRecoveryCodes(tx, input);
    tx.audit('account.recovery-codes-renewed', input.accountId, {});
  },
});

async function requireFactor(tx: CommandTransaction, accountId: string) {
  const factor = await tx.findAnywhere(SecondFactorTable, { accountId });
  if (!factor) throw notFound('The second factor');
  return factor;
}

function replaceRecoveryCodes(tx: CommandTransaction, { accountId, recoveryHashes }: WithRecoveryCodes): void {
  tx.write(sql`delete from recovery_code where account_id = ${accountId}`);
  tx.write(sql`insert into recovery_code (account_id, code_hash)
    select ${accountId}, code_hash from unnest(${recoveryHashes}::text[]) as code_hash`);
}

/** A browser has given codes of the former factor only. */
function distrustBrowsers(tx: CommandTransaction, accountId: string): void {
  tx.write(sql`update known_device set factor_trusted_until = null where account_id = ${accountId}`);
}
