import { refuseProblems, textProblem } from '@payroll/kernel';

/**
 * Why somebody ended or returned a contract, trimmed.
 * @throws DomainError `VALIDATION_FAILED` unless it has 1–2000 characters.
 */
export function readReason(text: string): string {
  const reason = text.trim();
  const code = textProblem(reason, 1, 2000);
  refuseProblems(code === null ? [] : [{ path: 'reason', code }], 'reason is a text of 1 to 2000 characters.');
  return reason;
}
