import type { InferEntity } from '@mikro-orm/core';
import { newId, NOBODY, notFound, refuseProblems, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { problemsOfName } from '../domain/workspace.js';
import { AccountTable, PasswordResetTable, SessionTable } from '../store/account-tables.js';

type Account = InferEntity<typeof AccountTable>;
type NewAccount = Pick<Account, 'email' | 'name' | 'passwordHash'>;

/** Nobody has proved that the (normalized) address is theirs: others with it can have accounts too (ADR 0030). */
export function createAccount(tx: CommandTransaction, { email, name, passwordHash }: NewAccount): Account {
  refuseProblems(problemsOfName('name', name), 'The name is a text of 1 to 200 characters.');
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const id = newId();
  const account = tx.em.create(AccountTable, { id, email, name: name.trim(), passwordHash, provedAt: null, ...times });
  tx.audit('account.created', id, { email, name });
  return account;
}

type ChangePassword = Record<'accountId' | 'passwordHash', string>;

/** Signs the account out in every browser. */
export const changePassword = defineCommand('account.change-password', {
  who: { ...NOBODY, own: ({ accountId }: ChangePassword) => accountId },
  decide: async (tx, input: ChangePassword): Promise<void> => {
    await replacePassword(tx, input);
    tx.audit('account.password-changed', input.accountId, {});
  },
});

type ResetPassword = Record<'accountId' | 'secretHash' | 'passwordHash', string>;

/** By a link that was sent to the account's address, which is used up with all others, and proves the address. */
export const resetPassword = defineCommand('account.reset-password', {
  who: { ...NOBODY, own: ({ accountId }: ResetPassword) => accountId },
  decide: async (tx, { accountId, secretHash, passwordHash }: ResetPassword): Promise<void> => {
    const reset = await tx.em.findOne(PasswordResetTable, { secretHash, accountId });
    if (!reset || reset.expiresAt <= tx.now) throw notFound('The link');
    const account = await replacePassword(tx, { accountId, passwordHash });
    await tx.em.nativeDelete(PasswordResetTable, { accountId });
    await prove(tx, account);
    tx.audit('account.password-reset', accountId, {});
  },
});

/** Somebody has read the mail of the address. Of several accounts of one address, one can be proved (ADR 0030). */
export async function prove(tx: CommandTransaction, account: Account): Promise<void> {
  const proved = await tx.em.findOne(AccountTable, { email: account.email, provedAt: { $ne: null } });
  if (proved === null) account.provedAt = tx.now;
}

/** Operators do it for those who forgot the password, or have no account yet. */
export const setAccountPassword = defineCommand('account.set-password', {
  who: SYSTEM_ONLY,
  decide: async (
    tx,
    { accountId, ...input }: NewAccount & { accountId: string | null },
  ): Promise<{ accountId: string }> => {
    if (accountId === null) return { accountId: createAccount(tx, input).id };
    await replacePassword(tx, { accountId, ...input });
    tx.audit('account.password-set', accountId, {});
    return { accountId };
  },
});

async function replacePassword(tx: CommandTransaction, { accountId, passwordHash }: ChangePassword): Promise<Account> {
  const account = await tx.em.findOne(AccountTable, { id: accountId });
  if (!account) throw notFound('The account');
  Object.assign(account, { passwordHash, updatedAt: tx.now });
  await tx.em.nativeDelete(SessionTable, { accountId });
  return account;
}
