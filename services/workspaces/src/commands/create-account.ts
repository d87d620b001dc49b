import type { InferEntity } from '@mikro-orm/core';
import { newId, refuseProblems } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { problemsOfName } from '../domain/problems.js';
import { AccountTable } from '../store/account-tables.js';

export interface NewAccount {
  /** Normalized. */
  email: string;
  name: string;
  passwordHash: string;
}

/**
 * Part of what makes somebody known here. Nobody has proved that the address is theirs, so it keeps nobody else with the
 * same address from having an account (ADR 0030).
 */
export function createAccount(
  tx: CommandTransaction,
  { email, name, passwordHash }: NewAccount,
): InferEntity<typeof AccountTable> {
  refuseProblems(problemsOfName('name', name), 'The name is a text of 1 to 200 characters.');
  const times = { createdAt: tx.now, updatedAt: tx.now };
  const id = newId();
  const account = tx.em.create(AccountTable, { id, email, name: name.trim(), passwordHash, provedAt: null, ...times });
  tx.em.persist(account);
  tx.audit('account.created', id, { email, name });
  return account;
}
