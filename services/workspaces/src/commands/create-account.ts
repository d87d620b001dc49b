import type { InferEntity } from '@mikro-orm/core';
import { DomainError, newId, refuseProblems } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { problemsOfName } from '../domain/problems.js';
import { AccountTable } from '../store/account-tables.js';
import type { WorkspacesRows } from '../store/schema.js';

export interface NewAccount {
  /** Normalized. */
  email: string;
  name: string;
  passwordHash: string;
}

/** Part of what makes somebody known here. Other workspaces may invite the same address at this very moment. */
export async function createAccount(
  tx: CommandTransaction,
  { email, name, passwordHash }: NewAccount,
): Promise<InferEntity<typeof AccountTable>> {
  refuseProblems(problemsOfName('name', name), 'The name is a text of 1 to 200 characters.');
  const id = newId();
  const made = await tx.em
    .getKysely<WorkspacesRows>()
    .insertInto('account')
    .values({ id, email, name: name.trim(), password_hash: passwordHash, created_at: tx.now, updated_at: tx.now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) {
    throw new DomainError('INVALID_STATE', 'There is an account with this address already: sign in with it first.');
  }
  tx.audit('account.created', id, { email, name });
  return await tx.em.findOneOrFail(AccountTable, { id });
}
