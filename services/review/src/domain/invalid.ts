import { DomainError } from '@payroll/kernel';

/** One field of an input that cannot be. */
export function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}

/** @throws DomainError `VALIDATION_FAILED` unless the text has that many characters, counted as people do. */
export function requireLength(path: string, text: string, min: number, max: number): void {
  const { length } = [...text];
  if (length < min || length > max) throw invalid(path, 'length', `${path} is ${min} to ${max} characters.`);
}
