import type { InferEntity } from '@mikro-orm/core';
import { newId, NOBODY, notFound, refuseProblems, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { problemsOfName } from '../domain/workspace.js';
import { AccountTable, SessionTable } from '../store/account-tables.js';

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
export const changePassword = defineCommand(
  'account.change-password',
  { ...NOBODY, own: ({ accountId }: ChangePassword) => accountId },
  async (tx, input: ChangePassword): Promise<void> => {
    await replacePassword(tx, input);
    tx.audit('account.password-changed', input.accountId, {});
  },
);

/** Operators do it for those who forgot the password, or have no account yet. */
export const setAccountPassword = defineCommand(
  'account.set-password',
  SYSTEM_ONLY,
  async (tx, { accountId, ...input }: NewAccount & { accountId: string | null }): Promise<{ accountId: string }> => {
    if (accountId === null) return { accountId: createAccount(tx, input).id };
    await replacePassword(tx, { accountId, ...input });
    tx.audit('account.password-set', accountId, {});
    return { accountId };
  },
);

async function replacePassword(tx: CommandTransaction, { accountId, passwordHash }: ChangePassword): Promise<void> {
  const account = await tx.em.findOne(AccountTable, { id: accountId });
  if (!account) throw notFound('The account');
  Object.assign(account, { passwordHash, updatedAt: tx.now });
  await tx.em.nativeDelete(SessionTable, { accountId });
}
