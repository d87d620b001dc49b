import { notFound, NOBODY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { AccountTable, SessionTable } from '../store/account-tables.js';

export interface ChangePassword {
  accountId: string;
  passwordHash: string;
}

/** Whoever was signed in with the password before is so no longer, in any browser. */
export const changePassword = defineCommand(
  'account.change-password',
  { ...NOBODY, own: ({ accountId }: ChangePassword) => accountId },
  async (tx, { accountId, passwordHash }: ChangePassword): Promise<void> => {
    const account = await tx.em.findOne(AccountTable, { id: accountId });
    if (!account) throw notFound('The account');
    Object.assign(account, { passwordHash, updatedAt: tx.now });
    await tx.em.nativeDelete(SessionTable, { accountId });
    tx.audit('account.password-changed', accountId, {});
  },
);
