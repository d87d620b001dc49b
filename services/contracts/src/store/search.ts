import { throwIfInvalid, textProblem } from '@payroll/kernel';

/**
 * An `ilike` pattern that matches the search text anywhere, literally.
 * @throws DomainError `VALIDATION_FAILED` for a search that no stored text can contain.
 */
export function patternOf(search: string): string {
  const typed = search.trim();
  const code = textProblem(typed, 1, 200);
  throwIfInvalid(code === null ? [] : [{ path: 'search', code }], 'search must have 1 to 200 characters.');
  return `%${typed.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
