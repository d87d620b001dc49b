import type { ErrorDetail } from '@payroll/kernel';
import type { Static, TSchema } from 'typebox';
import { MOST_PROBLEMS } from '../shapes/limits.js';
import { compile } from './compile.js';
import { explain } from './explain.js';
import type { JsonReading } from './json.js';
import { distinct, problemsOf } from './problems.js';
import { settle } from './settle.js';
import { trimmerOf } from './trim.js';

export type Reading<Value> =
  | { ok: true; value: Value }
  /** Everything that is wrong, at once, and in words what would fit. */
  | { ok: false; problems: ErrorDetail[]; explanation: string };

/** What must hold between the parts of a value. Also asked about values whose parts are wrong, so that all is said. */
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
