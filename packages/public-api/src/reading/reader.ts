import { isCalendarDate, isEmail, isId, isInstant, type ErrorDetail } from '@payroll/kernel';
import type { Static, TObject, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Settings } from 'typebox/system';
import { MOST_PROBLEMS } from '../shapes/scalars.js';
import { explain } from './explain.js';
import { readValue, type JsonReading } from './json.js';
import { distinct, problemsOf } from './problems.js';
import { settle, trimmerOf } from './settle.js';

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
  return ({ plain: sent, exact }) => {
    const plain = trim(sent);
    const problems = validator.Check(plain) ? [] : problemsOf(validator.Errors(plain), plain);
    const value = settle(shape, { plain, exact }, problems);
    problems.push(...rules(value));
    if (problems.length === 0) return { ok: true, value: value as Static<Shape> };
    const said = distinct(problems).slice(0, MOST_PROBLEMS);
    return { ok: false, problems: said, explanation: explain(shape, said) };
  };
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
  Settings.Set({ maxErrors: MOST_PROBLEMS });
  Format.Set('uuid', isId);
  Format.Set('date', (value) => isCalendarDate(value) && hasYear(value));
  Format.Set('date-time', (value) => isInstant(value) && hasYear(value));
  const hasFormOfEmail = Format.Get('email')!;
  Format.Set('email', (value) => isEmail(value) && hasFormOfEmail(value));
}

/** Year 0 is in ISO 8601's calendar, but not in Postgres'. */
function hasYear(value: string): boolean {
  return !value.startsWith('0000');
}

let tightened = false;

/** Compiles a shape, with the formats of the public contract. */
export function compile<Shape extends TSchema>(shape: Shape): Validator<Record<never, never>, Shape, Static<Shape>> {
  if (!tightened) tightenFormats();
  tightened = true;
  return Compile(shape);
}
