import { DomainError, textProblem } from '@payroll/kernel';

/** One field of an input that cannot be. */
export function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}

/** @throws DomainError `VALIDATION_FAILED` unless the text can be kept and has that many code points. */
export function requireText(path: string, text: string, min: number, max: number): void {
  const problem = textProblem(text, min, max);
  if (problem !== null) throw invalid(path, problem, `${path} is ${min} to ${max} characters of text.`);
}
