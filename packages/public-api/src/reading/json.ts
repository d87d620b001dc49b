import { DomainError } from '@payroll/kernel';

/** A JSON text, read in two ways. */
export interface JsonReading {
  /** The result of JSON.parse, which is checked against the shapes. */
  plain: unknown;
  /** The same with every number as plain decimal text, because a float would round amounts. Read when it is used: it takes longer. */
  readonly exact: unknown;
}

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** @throws DomainError `INVALID_REQUEST` for what is not JSON in UTF-8. */
export function readJson(bytes: Uint8Array): JsonReading {
  let source: string;
  let plain: unknown;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    plain = JSON.parse(source);
  } catch {
    throw new DomainError('INVALID_REQUEST', 'The body must be JSON.', {
      details: [{ path: '', code: 'invalid_json' }],
    });
  }
  return {
    plain,
    get exact() {
      return readExactly(source, plain);
    },
  };
}

/** For values that were parsed elsewhere, such as the arguments of an MCP tool. */
export function readValue(value: unknown): JsonReading {
  let text: string;
  try {
    text = JSON.stringify(value) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return { plain: value, exact: value };
    throw error;
  }
  return readJson(new TextEncoder().encode(text));
}

function readExactly(source: string, plain: unknown): unknown {
  const digits: Reviver = (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? (plainDecimal(context.source) ?? TOO_LONG) : value;
  try {
    return JSON.parse(source, digits as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    // A reviver recurses, as does JSON.stringify: some thousand brackets deep the stack ends. No shape is that deep, so it is
    // refused anyway.
    if (error instanceof RangeError) return plain;
    throw error;
  }
}

/** Takes the place of a number that is too long for an amount; no number reads so. */
export const TOO_LONG = 'more than 40 characters';

/** The most characters an amount may have on the wire (public-api.md §1). */
const MAX_LENGTH = 40;
const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * The text of a JSON number as a plain decimal without exponent or needless zeros, digit by digit: `1.50e2` is `150`.
 * Null when that needs more than 40 characters.
 */
export function plainDecimal(source: string): string | null {
  const match = JSON_NUMBER.exec(source);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  const leadingZeros = all.search(/[1-9]|$/);
  const digits = all.slice(leadingZeros, all.length - trailingZeros(all));
  if (digits === '') return '0';
  const point = whole.length - leadingZeros + Number(exponent);
  if (digits.length > MAX_LENGTH || Math.abs(point) > MAX_LENGTH) return null;
  const before = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const after = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  const text = sign + before + (after === '' ? '' : `.${after}`);
  return text.length > MAX_LENGTH ? null : text;
}

/** Whether a plain decimal lies above a whole number. */
export function exceeds(decimal: string, limit: number): boolean {
  if (decimal.startsWith('-')) return false;
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole) > BigInt(limit) || (BigInt(whole) === BigInt(limit) && fraction !== '');
}

/** Counted by hand: `/0+$/` takes quadratic time on a million zeros before a one. */
function trailingZeros(digits: string): number {
  let count = 0;
  while (digits[digits.length - 1 - count] === '0') count += 1;
  return count;
}
