import { toInstant, type ErrorDetail } from '@payroll/kernel';
import type { TSchema } from 'typebox';
import { TRIMMED, type Keywords as Shape } from '../shapes/scalars.js';
import { exceeds, TOO_LONG, type JsonReading } from './json.js';
import { below } from './problems.js';

/**
 * A sent value as the service uses it: amounts as decimal strings, ids and instants in canonical form, defaults filled in.
 * Reports what floats would have hidden. Parts that do not match the shape stay: the shape's own check reports those.
 */
export function settle(schema: TSchema, { plain, exact }: JsonReading, problems: ErrorDetail[], path = ''): unknown {
  const shape = schema as Shape;
  if (typeof plain === 'number') return settleNumber(shape, plain, exact, problems, path);
  if (typeof plain === 'string') return settleText(shape, plain);
  if (Array.isArray(plain) && shape.items) {
    const { items } = shape;
    return plain.map((item: unknown, index) =>
      settle(items, { plain: item, exact: (exact as unknown[])[index] }, problems, below(path, index)),
    );
  }
  if (isRecord(plain) && shape.properties) return settleObject(shape.properties, plain, exact, problems, path);
  return plain;
}

function settleObject(
  properties: NonNullable<Shape['properties']>,
  plain: Record<string, unknown>,
  exact: unknown,
  problems: ErrorDetail[],
  path: string,
): Record<string, unknown> {
  const settled: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(plain, name)) {
      const part = { plain: plain[name], exact: (exact as Record<string, unknown>)[name] };
      settled[name] = settle(schema, part, problems, below(path, name));
    } else {
      const { default: value } = schema as Shape;
      if (value !== undefined) settled[name] = value;
    }
  }
  return settled;
}

function settleNumber(shape: Shape, plain: number, exact: unknown, problems: ErrorDetail[], path: string): unknown {
  if (shape.type === 'integer' && String(exact).includes('.')) problems.push({ path, code: 'invalid_type' });
  if (shape.format !== 'decimal') return plain;
  if (exact === TOO_LONG) problems.push({ path, code: 'too_long' });
  else if (shape.maximum !== undefined && exceeds(String(exact), shape.maximum)) {
    problems.push({ path, code: 'out_of_range' });
  }
  return exact;
}

function settleText(shape: Shape, plain: string): string {
  if (shape.format === 'uuid') return plain.toLowerCase();
  if (shape.format === 'date-time') return canonicalInstant(plain);
  return plain;
}

/** Microseconds are stored: further digits are cut. */
function canonicalInstant(text: string): string {
  const cut = /^([^.]*\.\d{6})\d+Z$/.exec(text);
  try {
    return toInstant(cut ? `${cut[1]}Z` : text);
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Cuts the white space off the properties that are read without it, before lengths are measured. */
export function trimmerOf(shape: TSchema): (sent: unknown) => unknown {
  const { properties = {} } = shape as Shape;
  const names = Object.keys(properties).filter((name) => TRIMMED in properties[name]!);
  if (names.length === 0) return (sent) => sent;
  return (sent) => {
    if (!isRecord(sent)) return sent;
    const texts = names.filter((name) => Object.hasOwn(sent, name) && typeof sent[name] === 'string');
    return { ...sent, ...Object.fromEntries(texts.map((name) => [name, (sent[name] as string).trim()])) };
  };
}
