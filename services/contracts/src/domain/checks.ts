import {
  amountProblem,
  isCurrency,
  isEmail,
  isId,
  isPositiveDecimal,
  Money,
  rateProblem,
  textProblem,
  type ErrorDetail,
} from '@payroll/kernel';

/** Why a value is refused, in the words of the public contract; null when it is not. Asked only about what was sent. */
type Check<Value> = (value: Value) => string | null;

/** Checks of the parts of an object, by their names. */
export type Checks<Whole> = { readonly [Name in keyof Whole]?: Check<NonNullable<Whole[Name]>> };

/** All that is wrong with the parts of an object. */
export function problemsIn<Whole extends object>(
  whole: Whole | null | undefined,
  checks: Checks<Whole>,
  path = '',
): ErrorDetail[] {
  if (whole == null) return [];
  const names = Object.keys(checks) as (keyof Whole & string)[];
  return names.flatMap((name) => {
    const value = whole[name];
    const code = value == null ? null : (checks[name]?.(value) ?? null);
    return code === null ? [] : [{ path: path === '' ? name : `${path}.${name}`, code }];
  });
}

export function problemsInEach<Item extends object>(
  items: readonly Item[] | null | undefined,
  checks: Checks<Item>,
  path: string,
): ErrorDetail[] {
  return (items ?? []).flatMap((item, index) => problemsIn(item, checks, `${path}[${index}]`));
}

export const text =
  (minLength: number, maxLength: number): Check<string> =>
  (value) =>
    textProblem(value, minLength, maxLength);

export const anyText = text(0, Number.POSITIVE_INFINITY);

export const eachText: Check<string[]> = (values) => values.map(anyText).find((code) => code !== null) ?? null;

export const email: Check<string> = (value) => (isEmail(value) ? null : 'invalid_format');

export const eachId: Check<string[]> = (values) => (values.every(isId) ? null : 'invalid_format');

/** Year 0 is in ISO 8601's calendar, but not in Postgres'. */
export const day: Check<string> = (value) => (value.startsWith('0000') ? 'invalid_format' : null);

export const count =
  (minimum: 0 | 1): Check<number> =>
  (value) =>
    value >= minimum ? null : 'out_of_range';

export const percentage: Check<string> = (value) =>
  !value.startsWith('-') && fits(value, 'USD') && Money.of(value, 'USD').compare(Money.of('100', 'USD')) <= 0
    ? null
    : 'out_of_range';

/** An amount above zero that fits the wire in its currency. */
export const positive =
  (currency: string): Check<string> =>
  (amount) =>
    isPositiveDecimal(amount) ? length(amount, currency) : 'out_of_range';

export const notNegative =
  (currency: string): Check<string> =>
  (amount) =>
    amount.startsWith('-') ? 'out_of_range' : length(amount, currency);

/** An amount that can be paid, in a currency that can be agreed on today. */
export const payable =
  (currency: string): Check<string> =>
  (amount) =>
    isCurrency(currency) ? (amountProblem({ amount, currency })?.code ?? null) : 'unknown_currency';

/** A rate that totals can be reckoned by. */
export const payableBy =
  (currency: string): Check<string> =>
  (rate) =>
    rateProblem({ amount: rate, currency })?.code ?? null;

function length(amount: string, currency: string): string | null {
  return fits(amount, currency) ? null : 'too_long';
}

/** An amount shows its currency's own digits: 39 digits are an amount of 39 characters, and in USD of 42. */
function fits(amount: string, currency: string): boolean {
  try {
    Money.of(amount, currency);
    return true;
  } catch {
    return false;
  }
}
