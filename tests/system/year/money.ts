/** Arithmetic of the year's model. It uses whole numbers only and nothing of the kernel, whose sums it checks. */
import { seeded } from '../../support/random.js';

/** Digits after the point that the model keeps; no amount of the year has more. */
const PLACES = 12;
const ONE = 10n ** BigInt(PLACES);

/** Digits after the point of the smallest unit (ISO 4217). */
const DIGITS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 } as const;
export type Currency = keyof typeof DIGITS;
export const CURRENCIES = Object.keys(DIGITS) as Currency[];

/** An amount or a number of units, in 10⁻¹². */
export function exact(text: string): bigint {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  if (fraction.length > PLACES) throw new RangeError(`The model keeps ${PLACES} digits: ${text}`);
  const value = BigInt(whole! + fraction.padEnd(PLACES, '0'));
  return sign === '-' ? -value : value;
}

/** Without trailing zeros. */
export function plain(value: bigint): string {
  const [sign, size] = value < 0n ? ['-', -value] : ['', value];
  const fraction = (size % ONE).toString().padStart(PLACES, '0').replace(/0+$/, '');
  return `${sign}${size / ONE}${fraction && `.${fraction}`}`;
}

/** The size of a currency's smallest unit. */
export function smallest(currency: Currency): bigint {
  return 10n ** BigInt(PLACES - DIGITS[currency]);
}

interface Product {
  value: bigint;
  /** Exactly between two smallest units; the even one is used. */
  isTie: boolean;
}

/** Rate × units, rounded half-even to the currency's smallest unit. */
export function multiply(rate: string, units: string, currency: Currency): Product {
  const product = exact(rate) * exact(units);
  const unit = smallest(currency) * ONE;
  const [below, rest] = [product / unit, product % unit];
  const isTie = rest * 2n === unit;
  const isUp = isTie ? below % 2n === 1n : rest * 2n > unit;
  return { value: (isUp ? below + 1n : below) * smallest(currency), isTie };
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** Choices that depend on the seed alone. */
export class Chance {
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  /** At least 0, less than the limit. */
  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  percent(likelihood: number): boolean {
    return this.below(100) < likelihood;
  }
}
