import { newId, NOBODY, notFound, refuseProblems, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { sql, type TableRow } from '@payroll/store';
import { problemsOfName } from '../domain/workspace.js';
import { AccountTable, PasswordResetTable } from '../store/account-tables.js';

type Account = TableRow<typeof AccountTable>;
type NewAccount = Pick<Account, 'email' | 'name' | 'passwordHash'>;

/** Nobody has proved that the (normalized) address is theirs: others with it can have accounts too (ADR 0030). */
export function createAccount(tx: CommandTransaction, { email, name, passwordHash }: NewAccount): Account {
  refuseProblems(problemsOfName('name', name), 'The name is a text of 1 to 200 characters.');
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const id = newId();
  const account = tx.insert(AccountTable, {
    id,
    email,
    name: name.trim(),
    passwordHash,
    emailVerifiedAt: null,
    ...times,
  });
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
    const reset = await tx.findAnywhere(PasswordResetTable, { secretHash, accountId });
    if (!reset || reset.expiresAt <= tx.now) throw notFound('The link');
    const account = await replacePassword(tx, { accountId, passwordHash });
    tx.write(sql`delete from password_reset where account_id = ${accountId}`);
    prove(tx, account);
    tx.audit('account.password-reset', accountId, {});
  },
});

/** Somebody has read the mail of the address. Of several accounts of one address, one can be proved (ADR 0030). */
export function prove(tx: CommandTransaction, { id, email }: Account): void {
  tx.write(sql`update account set email_verified_at = ${tx.now}
    where id = ${id} and not exists (select from account where email = ${email} and email_verified_at is not null)`);
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
  const account = await tx.findAnywhere(AccountTable, { id: accountId });
  if (!account) throw notFound('The account');
  tx.write(sql`delete from session where account_id = ${accountId}`);
  return tx.update(AccountTable, account, { passwordHash, updatedAt: tx.now });
}
