import { DomainError, refuseProblems } from '@payroll/kernel';
import { problemsOfPassword } from '../domain/account.js';
import { hashPassword } from './password-hash.js';

/**
 * The hash of a password that somebody chose, once it is good enough and typed the same twice.
 * @throws DomainError `VALIDATION_FAILED` that names `password` or `repeated`.
 */
export async function readNewPassword(
  { password, repeated }: { password: string; repeated: string },
  words: readonly string[],
): Promise<string> {
  refuseProblems(problemsOfPassword('password', password, words), 'The password is too easy to guess.');
  if (password === repeated) return await hashPassword(password);
  throw new DomainError('VALIDATION_FAILED', 'The two passwords differ.', {
    details: [{ path: 'repeated', code: 'different' }],
  });
}
