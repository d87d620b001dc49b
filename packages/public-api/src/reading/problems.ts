import type { ErrorDetail } from '@payroll/kernel';
import type { TLocalizedValidationError } from 'typebox/error';
import { MAX_PROBLEMS, NOT_BLANK } from '../shapes/scalars.js';

/** TypeBox' errors as the codes of the public contract. */
export function problemsOf(errors: readonly TLocalizedValidationError[], root: unknown): ErrorDetail[] {
  return errors.flatMap((error) => {
    const { path, value } = placeOfPointer(error.instancePath, root);
    if (error.keyword === 'required') {
      return error.params.requiredProperties.map((name) => ({ path: below(path, name), code: 'required' }));
    }
    // A number beyond all floats is read as infinite, which no shape takes for a number.
    const code = value === Infinity || value === -Infinity ? 'out_of_range' : codeOf(error);
    return code === null ? [] : [{ path, code }];
  });
}

/** Without repetitions, cut to the length that an answer may have. Of a value of the wrong type only that is reported. */
export function distinct(problems: readonly ErrorDetail[]): ErrorDetail[] {
  const mistyped = new Set(problems.filter(({ code }) => code === 'invalid_type').map(({ path }) => path));
  const seen = new Set<string>();
  const said = problems.filter(({ path, code }) => {
    const key = `${code} ${path}`;
    if (seen.has(key) || (code !== 'invalid_type' && mistyped.has(path))) return false;
    seen.add(key);
    return true;
  });
  return said.slice(0, MAX_PROBLEMS);
}

const CODES: Readonly<Partial<Record<string, string>>> = {
  boolean: 'unknown_property',
  type: 'invalid_type',
  enum: 'invalid_value',
  minLength: 'too_short',
  maxLength: 'too_long',
  maxItems: 'too_long',
  format: 'invalid_format',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
};

function codeOf(error: TLocalizedValidationError): string | null {
  // A duplicate of the problem for the whole object; `boolean` has named each property.
  if (error.keyword === 'additionalProperties') return null;
  if (error.keyword === 'pattern') return String(error.params.pattern) === NOT_BLANK ? 'too_short' : 'invalid_format';
  // Refinements here give their code as their message (see `text`).
  if (error.keyword === '~refine') return error.params.message;
  return CODES[error.keyword] ?? 'invalid';
}

/** Property names are the sender's, so the echo is kept short. */
const MAX_LENGTH = 200;

/** `milestones`, then `milestones[0]`, then `milestones[0].amount`. */
export function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  // The cut may leave half of a surrogate pair.
  return (path === '' ? step : `${path}.${step}`).slice(0, MAX_LENGTH).toWellFormed();
}

/**
 * Where a JSON pointer leads, and what is there: only the value tells the index of an array from a property named `0`.
 */
export function placeOfPointer(pointer: string, root: unknown): { path: string; value: unknown } {
  let path = '';
  let at: unknown = root;
  for (const encoded of pointer.split('/').slice(1)) {
    const step = encoded.replaceAll('~1', '/').replaceAll('~0', '~');
    path = below(path, Array.isArray(at) ? Number(step) : step);
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[step] : undefined;
  }
  return { path, value: at };
}
