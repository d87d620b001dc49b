import { type ErrorDetail, isCalendarDate, isEmail, isId, isInstant, toInstant } from '@payroll/kernel';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Settings } from 'typebox/system';
import { type Keywords as Shape, MAX_PROBLEMS, TRIMMED } from '../shapes/scalars.js';
import { explain, below, distinct, problemsOf } from './problems.js';
import { exceeds, type JsonReading, readValue, TOO_LONG } from './json.js';

export type Reading<Value> =
  | { ok: true; value: Value }
  /** All problems at once, and in words what would fit. */
  | { ok: false; problems: ErrorDetail[]; explanation: string };

/** Rules between the parts of a value. Also run on values with invalid parts, so that all problems are reported. */
export type Rules = (value: unknown) => ErrorDetail[];

/** Compiles a shape into a function that checks a sent value and gives it as the service uses it. */
export function createReader<Shape extends TSchema>(
  shape: Shape,
  rules: Rules = () => [],
): (reading: JsonReading) => Reading<Static<Shape>> {
  const validator = compile(shape);
  const trim = trimmerOf(shape);
  const refuse = (problems: readonly ErrorDetail[]): Reading<Static<Shape>> => {
    const said = distinct(problems);
    return { ok: false, problems: said, explanation: explain(shape, said) };
  };
  return (sent) => {
    const tooMany = excessOf(shape, sent.plain);
    if (tooMany.length > 0) return refuse(tooMany);
    const plain = trim(sent.plain);
    const problems = validator.Check(plain) ? [] : problemsOf(validator.Errors(plain), plain);
    if (problems.length >= MAX_PROBLEMS) return refuse(problems);
    const value = normalize(shape, { plain, exact: sent.exact }, problems);
    problems.push(...rules(value));
    return problems.length === 0 ? { ok: true, value: value as Static<Shape> } : refuse(problems);
  };
}

/**
 * Lists with more items than they may have, and more unknown properties than an answer names. Looked for first, and nothing else
 * is read then: each of a megabyte of them costs time in which the process answers no other workspace.
 */
function excessOf(schema: TSchema, plain: unknown, path = ''): ErrorDetail[] {
  const { items, maxItems = Infinity, properties } = schema as Shape;
  if (Array.isArray(plain) && items) {
    if (plain.length > maxItems) return [{ path, code: 'too_long' }];
    return plain.flatMap((item: unknown, index) => excessOf(items, item, below(path, index)));
  }
  if (!isRecord(plain) || !properties) return [];
  const unknown = Object.keys(plain).filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length >= MAX_PROBLEMS)
    return unknown.slice(0, MAX_PROBLEMS).map((name) => ({ path: below(path, name), code: 'unknown_property' }));
  return Object.entries(properties).flatMap(([name, part]) => excessOf(part, plain[name], below(path, name)));
}

/** Whole numbers in plain digits; anything else stays text and is refused as such. */
const WHOLE_NUMBER = /^(0|-?[1-9]\d{0,15})$/;

/** Compiles a shape of path or query parameters, which travel as text: its integers are read from their digits. */
export function createParameterReader<Shape extends TObject>(
  shape: Shape,
): (parameters: Readonly<Record<string, string>>) => Reading<Static<Shape>> {
  const read = createReader(shape);
  const integers = Object.entries(shape.properties as Record<string, { type?: string }>)
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name);
  return (parameters) => {
    const typed: Record<string, unknown> = { ...parameters };
    for (const name of integers) {
      const text = parameters[name];
      if (text !== undefined && WHOLE_NUMBER.test(text)) typed[name] = Number(text);
    }
    return read(readValue(typed));
  };
}

/**
 * TypeBox' own formats are looser: any version digit, offsets other than `Z`, white space in a quoted local part, hosts
 * without a dot, which a draft refuses. And it stops at 8 problems.
 */
function tightenFormats(): void {
  Settings.Set({ maxErrors: MAX_PROBLEMS });
  Format.Set('uuid', isId);
  Format.Set('date', isCalendarDate);
  Format.Set('date-time', isInstant);
  const hasFormOfEmail = Format.Get('email')!;
  Format.Set('email', (value) => isEmail(value) && hasFormOfEmail(value));
}

let tightened = false;

/** Compiles a shape, with the formats of the public contract. */
export function compile<Shape extends TSchema>(shape: Shape): Validator<Record<never, never>, Shape, Static<Shape>> {
  if (!tightened) tightenFormats();
  tightened = true;
  return Compile(shape);
}

/**
 * A sent value as the service uses it: amounts as decimal strings, ids and instants in canonical form, defaults filled in.
 * Reports what floats would have hidden. Parts that do not match the shape stay: the shape's own check reports those.
 */
function normalize(schema: TSchema, { plain, exact }: JsonReading, problems: ErrorDetail[], path = ''): unknown {
  const shape = schema as Shape;
  if (typeof plain === 'number') return settleNumber(shape, plain, exact, problems, path);
  if (typeof plain === 'string') return settleText(shape, plain);
  if (Array.isArray(plain) && shape.items) {
    const { items } = shape;
    return plain.map((item: unknown, index) =>
      normalize(items, { plain: item, exact: (exact as unknown[])[index] }, problems, below(path, index)),
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
      settled[name] = normalize(schema, part, problems, below(path, name));
    } else {
      const { default: value } = schema as Shape;
      if (value !== undefined) settled[name] = value;
    }
  }
  return settled;
}

function settleNumber(shape: Shape, plain: number, exact: unknown, problems: ErrorDetail[], path: string): unknown {
  // A float hides a fraction that is tiny or far behind the point; whole numbers that are too long are out of range.
  const isRounded = exact === TOO_LONG ? Number.isSafeInteger(plain) : String(exact).includes('.');
  if (shape.type === 'integer' && isRounded) problems.push({ path, code: 'invalid_type' });
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
function trimmerOf(shape: TSchema): (sent: unknown) => unknown {
  const { properties = {} } = shape as Shape;
  const names = Object.keys(properties).filter((name) => TRIMMED in properties[name]!);
  if (names.length === 0) return (sent) => sent;
  return (sent) => {
    if (!isRecord(sent)) return sent;
    const texts = names.filter((name) => Object.hasOwn(sent, name) && typeof sent[name] === 'string');
    return { ...sent, ...Object.fromEntries(texts.map((name) => [name, (sent[name] as string).trim()])) };
  };
}
