import { amountProblem } from '@payroll/kernel';
import { invalid } from './invalid.js';
import type { MoneyValue } from './money-value.js';

/**
 * What was stored before amounts were asked about is neither handed in nor approved.
 * @throws DomainError `VALIDATION_FAILED` that names the amount, where no bank can pay it.
 */
export function requirePayable(path: 'amount' | 'total', money: MoneyValue): void {
  const problem = amountProblem(money);
  if (problem) throw invalid(path, problem.code, `This cannot be paid. ${problem.message}`);
}
