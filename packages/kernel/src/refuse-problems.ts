import { DomainError, type ErrorDetail } from './error.js';

/** @throws DomainError `VALIDATION_FAILED` that names every problem, if there is one. */
export function refuseProblems(problems: readonly ErrorDetail[], message: string): void {
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', message, { details: problems });
}
