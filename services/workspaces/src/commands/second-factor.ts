import { DomainError, isSignedIn, notFound, requireFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { columns, sql } from '@payroll/store';
import { tellAccount } from '../mail/outbox.js';
import { SecondFactorTable } from '../store/account-tables.js';
import { BusinessTable } from '../store/tables.js';
import { type Own, OWNER, requireOpenSession } from './accounts.js';

/** Long enough for the owner to read the mail about it. */
export const RESET_HOURS = 24;

type WithRecoveryCodes = Own & { recoveryHashes: readonly string[] };
type NewFactor = WithRecoveryCodes & { sealed: string; step: number; replaces: boolean };

const RECENT_OWNER = { ...OWNER, needsRecentPassword: true } as const;

/**
 * With the step of the code that proved it, which counts no more. One that replaces another needs no removal, which a
 * workspace may forbid.
 */
export const setSecondFactor = defineCommand('account.set-second-factor', {
  who: RECENT_OWNER,
  decide: async (tx, { accountId, sealed, step, recoveryHashes, replaces }: NewFactor): Promise<void> => {
    await requireOpenSession(tx, { accountId });
    const { actor } = tx.origin;
    const before = await tx.findAnywhere(SecondFactorTable, { accountId });
    // Its form was sent twice.
    if (before?.sealed === sealed) return;
    if (before && !replaces && (before.resetAt === null || before.resetAt > tx.now)) {
      throw new DomainError('INVALID_STATE', 'This account has a second factor already.');
    }
    if (before) tx.remove(SecondFactorTable, before);
    tx.insert(SecondFactorTable, { accountId, sealed, lastStep: step, setAt: tx.now, resetAt: null, stopHash: null });
    replaceRecoveryCodes(tx, { accountId, recoveryHashes });
    distrustBrowsers(tx, accountId);
    // A sign-in or a proof under way with the password alone finds the account changed and does not count.
    tx.write(sql`update account set updated_at = ${tx.now} where id = ${accountId}`);
    // They began with the password alone; only the one that sets it up has given both.
    tx.write(sql`delete from session
      where account_id = ${accountId} and id is distinct from ${isSignedIn(actor) ? actor.sessionId : null}`);
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'second_factor_set' }));
    tx.audit('account.second-factor-set', accountId, {});
  },
});

export const removeSecondFactor = defineCommand('account.remove-second-factor', {
  who: RECENT_OWNER,
  decide: async (tx, { accountId }: Own): Promise<void> => {
    await requireOpenSession(tx, { accountId });
    const factor = await tx.findAnywhere(SecondFactorTable, { accountId });
    // Its form was sent twice.
    if (!factor) return;
    await requireNotRequired(tx, accountId);
    tx.remove(SecondFactorTable, factor);
    replaceRecoveryCodes(tx, { accountId, recoveryHashes: [] });
    distrustBrowsers(tx, accountId);
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'second_factor_removed' }));
    tx.audit('account.second-factor-removed', accountId, {});
  },
});

export const renewRecoveryCodes = defineCommand('account.renew-recovery-codes', {
  who: RECENT_OWNER,
  decide: async (tx, input: WithRecoveryCodes): Promise<void> => {
    await requireOpenSession(tx, input);
    await requireFactor(tx, input.accountId);
    replaceRecoveryCodes(tx, input);
    tx.audit('account.recovery-codes-renewed', input.accountId, {});
  },
});

type Reset = Own & { stopHash: string };

/** For operators, when the owner has lost it. In the meantime the owner can stop a reset that another person asked for. */
export const resetSecondFactor = defineCommand('account.reset-second-factor', {
  who: SYSTEM_ONLY,
  decide: async (tx, { accountId, stopHash }: Reset): Promise<void> => {
    await requireFactor(tx, accountId);
    tx.write(sql`update second_factor
      set reset_at = ${tx.now}::timestamptz + ${RESET_HOURS} * interval '1 hour', stop_hash = ${stopHash}
      where account_id = ${accountId}`);
    tx.audit('account.second-factor-reset', accountId, { hours: RESET_HOURS });
  },
});

/** With the link that was sent to the owner. */
export const keepSecondFactor = defineCommand('account.keep-second-factor', {
  who: OWNER,
  decide: async (tx, { accountId, stopHash }: Reset): Promise<void> => {
    const factor = await tx.findAnywhere(SecondFactorTable, { accountId, stopHash });
    if (!factor || factor.resetAt === null || factor.resetAt <= tx.now) throw notFound('The link');
    tx.update(SecondFactorTable, factor, { resetAt: null, stopHash: null });
    tx.audit('account.second-factor-kept', accountId, {});
  },
});

/** @throws DomainError `INVALID_STATE` for an admin of a workspace that requires a second factor of its admins */
async function requireNotRequired(tx: CommandTransaction, accountId: string): Promise<void> {
  const [requires] = await tx.read(sql`
    select ${columns(BusinessTable, 'name')} from business
    join membership on membership.workspace_id = business.id
    where membership.account_id = ${accountId} and membership.left_at is null and membership.role = 'admin'
      and business.second_factor_required
    order by business.name limit 1`);
  if (requires === undefined) return;
  const message = `${requires.name} requires a second factor of its admins, and you are one. For another phone, set up that one in its place.`;
  throw new DomainError('INVALID_STATE', message);
}

async function requireFactor(tx: CommandTransaction, accountId: string) {
  return requireFound(await tx.findAnywhere(SecondFactorTable, { accountId }), 'The second factor');
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
