import { DomainError } from '@payroll/kernel';
import { plainDecimal } from './decimal.js';

/** A JSON text, read twice over. */
export interface JsonReading {
  /** As JSON.parse gives it: what shapes are checked against. */
  plain: unknown;
  /** The same with every number as its plain decimal text: no float ever stands for an amount. */
  exact: unknown;
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
  return { plain, exact: readExactly(source, plain) };
}

/** For values that were parsed elsewhere, such as the arguments of an MCP tool. */
export function readValue(value: unknown): JsonReading {
  return readJson(new TextEncoder().encode(JSON.stringify(value) ?? 'null'));
}

function readExactly(source: string, plain: unknown): unknown {
  const digits: Reviver = (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? (plainDecimal(context.source) ?? TOO_LONG) : value;
  try {
    return JSON.parse(source, digits as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    // A reviver recurses: some ten thousand brackets deep the stack ends. No shape is that deep, so it is refused anyway.
    if (error instanceof RangeError) return plain;
    throw error;
  }
}

/** Stands for a number that no amount may be; text that no number has. */
export const TOO_LONG = 'more than 40 characters';
