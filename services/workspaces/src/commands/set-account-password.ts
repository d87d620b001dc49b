import { notFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { AccountTable, SessionTable } from '../store/account-tables.js';
import { createAccount, type NewAccount } from './create-account.js';

export interface SetAccountPassword extends NewAccount {
  /** Null for who has none. */
  accountId: string | null;
}

/** What operators do for who has forgotten the password, or has no account yet. */
export const setAccountPassword = defineCommand(
  'account.set-password',
  SYSTEM_ONLY,
  async (tx, { accountId, ...input }: SetAccountPassword): Promise<{ accountId: string }> => {
    if (accountId === null) return { accountId: createAccount(tx, input).id };
    const account = await tx.em.findOne(AccountTable, { id: accountId });
    if (!account) throw notFound('The account');
    Object.assign(account, { passwordHash: input.passwordHash, updatedAt: tx.now });
    await tx.em.nativeDelete(SessionTable, { accountId });
    tx.audit('account.password-set', accountId, {});
    return { accountId };
  },
);
