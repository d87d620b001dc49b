import { throwIfInvalid, textProblem } from '@payroll/kernel';

/**
 * An `ilike` pattern that matches the search text anywhere, literally.
 * @throws DomainError `VALIDATION_FAILED` for a search that no stored text can contain.
 */
export function patternOf(search: string): string {
  const typed = search.trim();
  requireStorable('search', typed, 200);
  return `%${typed.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

/** @throws DomainError `VALIDATION_FAILED` for a text that no row can contain, which Postgres would not compare. */
export function requireStorable(path: string, text: string, maxLength: number): void {
  const code = textProblem(text, 1, maxLength);
  throwIfInvalid(code === null ? [] : [{ path, code }], `${path} must have 1 to ${maxLength} characters.`);
}
