import { Decimal } from 'decimal.js';
import * as iso4217 from 'dinero.js/currencies';

/** ISO 4217 without metals, baskets and the codes of no currency, and USDC, each with its digits; MGA and MRU, in fifths, have two. */
const CURRENT: ReadonlyMap<string, number> = new Map([
  ...Object.values(iso4217).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2] as const),
  ['USDC', 6],
]);

/** ICU knows withdrawn codes by their names. Codes in X are metals, baskets and tests, unless they are current. */
const names = new Intl.DisplayNames(['en'], { type: 'currency', fallback: 'none' });
const ISO_FORM = /^[A-WYZ][A-Z]{2}$/;

/** Whether one can agree on a currency today. */
export function isCurrency(code: string): boolean {
  return CURRENT.has(code);
}

/** Whether it is or was a currency: amounts agreed in it before it was withdrawn are still owed. */
export function wasEverCurrency(code: string): boolean {
  return isCurrency(code) || (ISO_FORM.test(code) && names.of(code) !== undefined);
}

/** Digits after the point; two for withdrawn currencies, whose digits are not listed. */
export function currencyExponent(code: string): number {
  return CURRENT.get(code) ?? 2;
}

/** Exact up to 80 digits: the wire allows amounts of 40 characters, and a product of two must not be rounded early. */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -80, toExpPos: 80 });

const AMOUNT_FORM = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const CURRENCY_FORM = /^[A-Z]{3,4}$/;
const MAX_AMOUNT_LENGTH = 40;

/** An exact amount with at least its currency's digits: `85.5` EUR is `85.50`. Calculated ones are cut when shown. */
export class Money {
  private constructor(
    readonly amount: string,
    readonly currency: string,
  ) {}

  /** @throws RangeError for what is not an amount or a currency of the wire format (public-api.md §1). */
  static of(amount: string, currency: string): Money {
    if (!AMOUNT_FORM.test(amount)) throw new RangeError(`Not a decimal amount: ${amount}`);
    if (!CURRENCY_FORM.test(currency)) throw new RangeError(`Not a currency code: ${currency}`);
    const money = Money.exactly(new Exact(amount), currency);
    if (money.amount.length > MAX_AMOUNT_LENGTH) throw new RangeError('An amount has at most 40 characters.');
    return money;
  }

  /** An amount from Postgres, stored or summed, of any size: a read never refuses a stored amount. */
  static stored(amount: string, currency: string): Money {
    return Money.exactly(new Exact(amount), currency);
  }

  static zero(currency: string): Money {
    return Money.of('0', currency);
  }

  private static exactly(value: Decimal, currency: string): Money {
    const text = value.toFixed(Math.max(currencyExponent(currency), value.decimalPlaces()));
    return new Money(value.isZero() ? text.replace('-', '') : text, currency);
  }

  /** Rate × units, the one place that rounds: half-even, to the currency's smallest unit. */
  times(units: string): Money {
    const product = new Exact(this.amount).times(units);
    return Money.exactly(product.toDecimalPlaces(currencyExponent(this.currency)), this.currency);
  }

  plus(other: Money): Money {
    return Money.exactly(new Exact(this.amount).plus(this.sameCurrency(other).amount), this.currency);
  }

  minus(other: Money): Money {
    return Money.exactly(new Exact(this.amount).minus(this.sameCurrency(other).amount), this.currency);
  }

  negated(): Money {
    return Money.exactly(new Exact(this.amount).negated(), this.currency);
  }

  compare(other: Money): number {
    return new Exact(this.amount).comparedTo(this.sameCurrency(other).amount);
  }

  isPositive(): boolean {
    return new Exact(this.amount).greaterThan(0);
  }

  /** The wire format (public-api.md §1): an amount of more than 40 characters loses digits at its end. */
  toJSON(): { amount: string; currency: string } {
    return { amount: truncateToWireLength(this.amount), currency: this.currency };
  }

  private sameCurrency(other: Money): Money {
    if (other.currency !== this.currency) throw new RangeError(`${this.currency} and ${other.currency} do not add up.`);
    return other;
  }
}

/** Towards zero, so that it never promises more than there is; with too many digits before the point, all nines. */
function truncateToWireLength(amount: string): string {
  if (amount.length <= MAX_AMOUNT_LENGTH) return amount;
  const [whole = ''] = amount.split('.');
  const sign = amount.startsWith('-') ? '-' : '';
  if (whole.length > MAX_AMOUNT_LENGTH) return sign.padEnd(MAX_AMOUNT_LENGTH, '9');
  return whole.length > MAX_AMOUNT_LENGTH - 2 ? whole : amount.slice(0, MAX_AMOUNT_LENGTH);
}

/** A plain decimal such as hours worked: no exponent, at most 40 characters. */
export function isDecimal(text: string): boolean {
  return AMOUNT_FORM.test(text) && text.length <= MAX_AMOUNT_LENGTH;
}

/** The exact sum of decimal strings, without exponent or trailing zeros. */
export function sumOfDecimals(texts: readonly string[]): string {
  return texts.reduce((sum, text) => sum.plus(text), new Exact(0)).toFixed();
}

export function isPositiveDecimal(text: string): boolean {
  return isDecimal(text) && new Exact(text).greaterThan(0);
}

/** For amounts and totals: with six digits after the point and a sign, the sum of 10^12 of them has at most 40 characters. */
const MAX_INTEGER_DIGITS = 20;
/** For rates, which may be finer than their currency: every digit of a float such as 0.03333333333333333. */
const MAX_RATE_DECIMALS = 18;

interface PayableProblem {
  code: 'unknown_currency' | 'too_precise' | 'out_of_range';
  /** A sentence that begins with the currency or continues after the name of the amount. */
  message: string;
}

type MoneyValue = Pick<Money, 'amount' | 'currency'>;

/** Why no bank can pay an amount; null when one can. Drafts may break it; withdrawn currencies are payable. */
export function amountProblem(money: MoneyValue): PayableProblem | null {
  return problemOf(money, currencyExponent(money.currency));
}

/** The same for a rate, which is never paid itself: totals are rounded, so a rate may have more digits. */
export function rateProblem(money: MoneyValue): PayableProblem | null {
  return problemOf(money, MAX_RATE_DECIMALS);
}

function problemOf({ amount, currency }: MoneyValue, mostDecimals: number): PayableProblem | null {
  if (!wasEverCurrency(currency)) {
    return { code: 'unknown_currency', message: `${currency} is neither a currency of ISO 4217 nor USDC.` };
  }
  const value = new Decimal(amount);
  if (value.abs().greaterThanOrEqualTo(new Decimal(10).pow(MAX_INTEGER_DIGITS))) {
    return { code: 'out_of_range', message: `An amount has at most ${MAX_INTEGER_DIGITS} digits before the point.` };
  }
  if (value.decimalPlaces() <= mostDecimals) return null;
  const message = `An amount in ${currency} has at most ${mostDecimals} digits after the point.`;
  return { code: 'too_precise', message };
}
