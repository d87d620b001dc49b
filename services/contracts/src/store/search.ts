import { refuseProblems, textProblem } from '@payroll/kernel';

/** For `ilike`: what was typed, anywhere in the text. @throws DomainError `VALIDATION_FAILED` for what no text has in it. */
export function patternOf(search: string): string {
  const typed = search.trim();
  const code = textProblem(typed, 1, 200);
  refuseProblems(code === null ? [] : [{ path: 'search', code }], 'Search for 1 to 200 characters.');
  return `%${typed.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
