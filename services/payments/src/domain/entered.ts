import { currencyExponent, DomainError, isPositiveDecimal, Money } from '@payroll/kernel';

// What people enter, as commands take it.

/**
 * An amount that a person entered: above zero and in whole smallest units, so that it can be moved.
 * @throws DomainError `VALIDATION_FAILED`
 */
export function enteredAmount(amount: string, currency: string): Money {
  if (!/^[A-Z]{3,4}$/.test(currency)) throw invalid('currency', 'format', 'currency is three or four capital letters.');
  if (!isPositiveDecimal(amount)) throw invalid('amount', 'not_positive', 'amount is above zero.');
  const money = Money.of(amount, currency);
  const digits = money.amount.split('.')[1]?.length ?? 0;
  if (digits > currencyExponent(currency)) {
    throw invalid('amount', 'too_precise', `${currency} has ${currencyExponent(currency)} digits after the point.`);
  }
  return money;
}

/** Free text such as a name or a reason, trimmed. */
export function enteredText(path: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed === '' || [...trimmed].length > maxLength) {
    throw invalid(path, 'length', `${path} is 1 to ${maxLength} characters after trimming.`);
  }
  return trimmed;
}

export function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}
