import { Decimal } from 'decimal.js';
import { currencyExponent } from './currency.js';

/** Exact up to 80 digits: the wire allows amounts of 40 characters, and a product of two must not be rounded early. */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -80, toExpPos: 80 });

const AMOUNT_FORM = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const CURRENCY_FORM = /^[A-Z]{3,4}$/;
const MAX_AMOUNT_LENGTH = 40;

/**
 * An exact amount in a currency. `amount` is a decimal string that shows at least the currency's own digits (`85.5` EUR
 * is `85.50`) and every digit beyond them that was given. What comes in has at most 40 characters; what is reckoned from
 * it is as long as it needs, and is cut only where it is shown.
 */
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

  /** What Postgres holds or adds up, of whatever size: nothing that was stored once is refused when it is read. */
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

  compare(other: Money): number {
    return new Exact(this.amount).comparedTo(this.sameCurrency(other).amount);
  }

  isPositive(): boolean {
    return new Exact(this.amount).greaterThan(0);
  }

  /** As the wire takes it (public-api.md §1): what needs more than 40 characters loses digits at its end. */
  toJSON(): { amount: string; currency: string } {
    return { amount: fitted(this.amount), currency: this.currency };
  }

  private sameCurrency(other: Money): Money {
    if (other.currency !== this.currency) throw new RangeError(`${this.currency} and ${other.currency} do not add up.`);
    return other;
  }
}

/** Towards zero, so that it never promises more than there is; what has too many digits before the point is all nines. */
function fitted(amount: string): string {
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

export function isPositiveDecimal(text: string): boolean {
  return isDecimal(text) && new Exact(text).greaterThan(0);
}
