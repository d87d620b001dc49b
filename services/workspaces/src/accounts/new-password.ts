import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseProblems, type ErrorDetail } from '@payroll/kernel';
import { problemsOfPassword } from '../domain/account.js';
import type { WorkspacesRows } from '../store/schema.js';
import { hashPassword } from './password-hash.js';

export interface ChosenPassword {
  password: string;
  repeated: string;
  /** Whose it is, normalized, and their name: no words for a password. */
  email: string;
  name: string;
}

/**
 * The hash of a password that somebody chose, once it is good enough and typed the same twice.
 * @throws DomainError `VALIDATION_FAILED` that names `password`, `repeated` and whatever else is wrong with the form.
 */
export async function readNewPassword(
  em: EntityManager,
  { password, repeated, email, name }: ChosenPassword,
  others: readonly ErrorDetail[] = [],
): Promise<string> {
  const differs = password === repeated ? [] : [{ path: 'repeated', code: 'different' }];
  const problems = [...others, ...problemsOfPassword('password', password, [email, name]), ...differs];
  refuseProblems(problems, 'The password is too easy to guess, or the two differ.');
  return await hashPassword(password, await anyHashOf(em, email));
}

async function anyHashOf(em: EntityManager, email: string): Promise<string | null> {
  const account = await em
    .getKysely<WorkspacesRows>()
    .selectFrom('account')
    .where('email', '=', email)
    .select('password_hash as hash')
    .limit(1)
    .executeTakeFirst();
  return account?.hash ?? null;
}
