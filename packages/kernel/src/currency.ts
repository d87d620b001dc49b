import * as iso4217 from 'dinero.js/currencies';

/**
 * Currencies that can be agreed on, with the digits after the point of their smallest unit: ISO 4217's list of today, in
 * which what has no unit to pay in (metals, baskets, XTS, XXX) is left out, and USDC by its issuer. Two of the list count
 * in fifths (MGA, MRU); ISO gives them two digits.
 */
const CURRENT: ReadonlyMap<string, number> = new Map([
  ...Object.values(iso4217).map(({ code, base, exponent }) => [code, base === 10 ? exponent : 2] as const),
  ['USDC', 6],
]);

/** ICU knows withdrawn codes by their names. Those in X are metals, baskets and tests, unless they are current. */
const names = new Intl.DisplayNames(['en'], { type: 'currency', fallback: 'none' });
const ISO_FORM = /^[A-WYZ][A-Z]{2}$/;

/** Whether one can agree on a currency today. */
export function isCurrency(code: string): boolean {
  return CURRENT.has(code);
}

/** Whether it is a currency or was one: what was agreed in it before it was withdrawn is still owed. */
export function wasEverCurrency(code: string): boolean {
  return isCurrency(code) || (ISO_FORM.test(code) && names.of(code) !== undefined);
}

/** Digits after the point; two for withdrawn currencies, of which nobody keeps a list. */
export function currencyExponent(code: string): number {
  return CURRENT.get(code) ?? 2;
}
