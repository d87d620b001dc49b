import { requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { AccountTable, SessionTable } from '../store/account-tables.js';
import { createAccount, type NewAccount } from './create-account.js';

/** What operators do for who has forgotten the password, or has no account yet. */
export const setAccountPassword = defineCommand(
  'account.set-password',
  async (tx, input: NewAccount): Promise<{ accountId: string }> => {
    requireInternal(tx.origin.actor);
    const account = await tx.em.findOne(AccountTable, { email: input.email });
    if (!account) return { accountId: (await createAccount(tx, input)).id };
    Object.assign(account, { passwordHash: input.passwordHash, updatedAt: tx.now });
    await tx.em.nativeDelete(SessionTable, { accountId: account.id });
    tx.audit('account.password-set', account.id, {});
    return { accountId: account.id };
  },
);
