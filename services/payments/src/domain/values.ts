import { amountProblem, enteredText, invalid, isPositiveDecimal, Money } from '@payroll/kernel';

export type MoneyValue = Pick<Money, 'amount' | 'currency'>;

const CURRENCY_FORM = /^[A-Z]{3,4}$/;

/** @throws DomainError `VALIDATION_FAILED` unless it is above zero and a bank can pay it. */
export function enteredAmount(amount: string, currency: string): Money {
  if (!CURRENCY_FORM.test(currency))
    throw invalid('currency', 'format', 'currency must be three or four capital letters.');
  if (!isPositiveDecimal(amount)) throw invalid('amount', 'not_positive', 'amount must be greater than zero.');
  const problem = amountProblem({ amount, currency });
  if (problem)
    throw invalid(problem.code === 'unknown_currency' ? 'currency' : 'amount', problem.code, problem.message);
  return Money.of(amount, currency);
}

const MAX_TRANSACTION_ID_LENGTH = 140;

/** Normalized: two people may copy it from two statements with different spacing and case. */
export function enteredTransactionId(text: string): string {
  return enteredText('bankTransactionId', text.replaceAll(/\s/g, ''), MAX_TRANSACTION_ID_LENGTH).toUpperCase();
}
