import { hoursAfter, DENY_ALL, notFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql, rawSql } from '@payroll/store';
import { CLOSING_DAYS, requireOtherAdmins } from '../domain/account.js';
import { tellAccount } from '../mail/outbox.js';
import { withoutOtherAdmin } from '../queries/members.js';
import { AccountTable } from '../store/account-tables.js';
import { endSignIns, findAccount, requireOpenSession } from './accounts.js';

interface Own {
  accountId: string;
}

const OWNER = { ...DENY_ALL, own: ({ accountId }: Own) => accountId } as const;

export const requestClosing = defineCommand('account.request-closing', {
  who: { ...OWNER, needsRecentPassword: true },
  decide: async (tx, { accountId }: Own): Promise<void> => {
    await requireOpenSession(tx, { accountId });
    const account = await findAccount(tx, accountId);
    if (account.closesAt !== null) return;
    requireOtherAdmins((await tx.read(withoutOtherAdmin(accountId))).map(({ name }) => name));
    tx.update(AccountTable, account, { closesAt: hoursAfter(tx.now, CLOSING_DAYS * 24) });
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'closing_requested' }));
    tx.audit('account.closing-requested', accountId, {});
  },
});

/** Stops the closing: from the account's page, or with the mailed link. */
export const keepAccount = defineCommand('account.keep', {
  who: OWNER,
  decide: async (tx, { accountId }: Own): Promise<void> => {
    const account = await findAccount(tx, accountId);
    if (account.closesAt === null) throw notFound('The closing');
    endClosing(tx, accountId);
    tx.audit('account.kept', accountId, {});
  },
});

/** Tables of the person alone. Sessions and connections end with the sign-ins. */
const PERSONAL = [
  ...['second_factor', 'recovery_code', 'known_device', 'password_reset', 'address_change', 'stop_link'],
  'mail_choice',
];

/**
 * Takes the person out of the account, if it is due; the id stays, because the trail names it. For a person who has become
 * the only admin of a workspace meanwhile, the closing is called off.
 */
export const closeAccount = defineCommand('account.close', {
  who: SYSTEM_ONLY,
  decide: async (tx, { accountId, passwordHash }: Own & { passwordHash: string }): Promise<void> => {
    const [due] = await tx.read(sql`select from account
      where id = ${accountId} and closes_at <= clock_timestamp() and closed_at is null`);
    if (!due) return;
    if ((await tx.read(withoutOtherAdmin(accountId))).length > 0) {
      endClosing(tx, accountId);
      tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'closing_called_off' }));
      return tx.audit('account.closing-called-off', accountId, {});
    }
    endSignIns(tx, accountId);
    for (const table of PERSONAL) tx.write(sql`delete from ${rawSql(table)} where account_id = ${accountId}`);
    // The id as its address: it is unique, and no mail can be sent to it.
    tx.write(sql`update account set email = id::text, email_verified_at = null, name = 'Closed account',
      password_hash = ${passwordHash}, updated_at = ${tx.now}, closed_at = ${tx.now} where id = ${accountId}`);
    tx.audit('account.closed', accountId, {});
  },
});

function endClosing(tx: CommandTransaction, accountId: string): void {
  tx.write(sql`update account set closes_at = null where id = ${accountId}`);
  tx.write(sql`delete from stop_link where about_id = ${accountId}`);
}
