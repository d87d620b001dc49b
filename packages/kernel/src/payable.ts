import { Decimal } from 'decimal.js';
import { currencyExponent, wasEverCurrency } from './currency.js';

/** Of amounts and totals: with six digits after the point and a sign, 10^12 of them add up to 40 characters at most. */
const MOST_WHOLE_DIGITS = 20;
/** Of rates, which may be finer than their currency: every digit of a float such as 0.03333333333333333. */
const MOST_RATE_DECIMALS = 18;

export interface PayableProblem {
  code: 'unknown_currency' | 'too_precise' | 'out_of_range';
  /** A sentence that begins with the currency or goes on from the name of the amount. */
  message: string;
}

interface MoneyValue {
  /** Decimal string. */
  amount: string;
  currency: string;
}

/**
 * Why no bank can pay an amount; null when one can. The one rule for all that is submitted, approved, posted and sent;
 * what is only drafted may break it. Withdrawn currencies are payable: see `isCurrency` for new agreements.
 */
export function amountProblem(money: MoneyValue): PayableProblem | null {
  return problemOf(money, currencyExponent(money.currency));
}

/** The same of a rate, which nobody pays by itself: totals are rounded, so it may have more digits. */
export function rateProblem(money: MoneyValue): PayableProblem | null {
  return problemOf(money, MOST_RATE_DECIMALS);
}

function problemOf({ amount, currency }: MoneyValue, mostDecimals: number): PayableProblem | null {
  if (!wasEverCurrency(currency)) {
    return { code: 'unknown_currency', message: `${currency} is neither a currency of ISO 4217 nor USDC.` };
  }
  const value = new Decimal(amount);
  if (value.abs().greaterThanOrEqualTo(new Decimal(10).pow(MOST_WHOLE_DIGITS))) {
    return { code: 'out_of_range', message: `An amount has at most ${MOST_WHOLE_DIGITS} digits before the point.` };
  }
  if (value.decimalPlaces() > mostDecimals) {
    return {
      code: 'too_precise',
      message: `An amount in ${currency} has at most ${mostDecimals} digits after the point.`,
    };
  }
  return null;
}
