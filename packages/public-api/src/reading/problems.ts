import type { ErrorDetail } from '@payroll/kernel';
import type { TLocalizedValidationError } from 'typebox/error';
import type { TSchema } from 'typebox';
import { MAX_PROBLEMS, NOT_BLANK, BODY_LIMIT_BYTES, type Keywords as Shape } from '../shapes/scalars.js';

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
const MAX_PATH_LENGTH = 200;

/** `milestones`, then `milestones[0]`, then `milestones[0].amount`. */
export function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  // The cut may leave half of a surrogate pair.
  return (path === '' ? step : `${path}.${step}`).slice(0, MAX_PATH_LENGTH).toWellFormed();
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

/** How many problems the message names; `details` has all of them. */
const MAX_EXPLAINED = 5;
/** The longest name in a message. Names of unknown properties are the sender's, and `details` has them whole. */
const MAX_NAME = 80;

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  date: 'a day of the calendar as YYYY-MM-DD',
  'date-time': 'a UTC time as 2026-01-31T09:30:00Z',
};

/** Problems that do not follow from a single field's shape. */
const REASONS: Readonly<Record<string, string>> = {
  unknown_property: 'is not known here',
  repeated: 'may be given once',
  invalid_encoding: 'must be UTF-8, percent-encoded',
  invalid_characters: 'must not have U+0000 or half a surrogate pair in it',
  types_disagree: 'must agree with employmentType: employment_at_will is for employees, the others are for contractors',
  before_start_date: 'must not be before startDate',
};

/** Problems in words that say what would fit, by the shape that the value was checked against. */
export function explain(shape: TSchema, problems: readonly ErrorDetail[]): string {
  return joinFirst(problems.map((problem) => explained(shape, problem)));
}

export function joinFirst(explanations: readonly string[]): string {
  // A value that is too long and of another form has two problems and one sentence.
  const said = [...new Set(explanations)];
  const rest = said.length - MAX_EXPLAINED;
  return said.slice(0, MAX_EXPLAINED).join('; ') + (rest > 0 ? `; and ${rest} more in details` : '');
}

function explained(shape: TSchema, { path, code }: ErrorDetail): string {
  const name = path === '' ? 'it' : path.slice(0, MAX_NAME).toWellFormed();
  const reason = REASONS[code];
  if (reason !== undefined) return `${name} ${reason}`;
  const part = partAt(shape, path);
  if (code === 'too_long' && part?.type === 'number')
    return `${name} must fit 40 characters with its currency's digits`;
  if (code === 'required') return `${name} is required${part ? `: ${describeSchema(part)}` : ''}`;
  return part ? `${name} must be ${describeSchema(part)}` : `${name} is ${code.replaceAll('_', ' ')}`;
}

/** The part of a shape that a path such as `milestones[0].amount` leads to. */
function partAt(shape: TSchema, path: string): Shape | undefined {
  let at: Shape | undefined = shape;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const { properties = {}, items }: Shape = at ?? {};
    if (index !== undefined) at = items;
    else at = Object.hasOwn(properties, name!) ? properties[name!] : undefined;
  }
  return at;
}

/** A shape in words: `text of 1 to 200 characters, or null`. */
export function describeSchema(shape: Shape): string {
  const types = [shape.type ?? 'string'].flat();
  const words = shape.enum?.filter((word) => word !== null);
  const what = words ? `one of ${words.join(', ')}` : expectedOf(types[0]!, shape);
  return types.includes('null') ? `${what}, or null` : what;
}

function expectedOf(type: string, shape: Shape): string {
  switch (type) {
    case 'integer':
      return `a whole number${range(shape)}`;
    case 'number':
      return `a number${range(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return shape.maxItems === undefined ? 'a list' : `a list of at most ${shape.maxItems}`;
    case 'object':
      return 'an object';
    default:
      return textOf(shape);
  }
}

function range({ minimum, exclusiveMinimum, maximum }: Shape): string {
  const from =
    exclusiveMinimum !== undefined ? ` above ${exclusiveMinimum}` : minimum !== undefined ? ` from ${minimum}` : '';
  if (maximum === undefined) return minimum !== undefined && from !== '' ? ` of ${minimum} or more` : from;
  return from === '' ? ` of at most ${maximum}` : `${from} to ${maximum}`;
}

function textOf({ format, pattern, minLength = 0, maxLength = BODY_LIMIT_BYTES }: Shape): string {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  const least = minLength === 0 ? 'at most' : `${minLength} to`;
  const length = minLength === maxLength ? `${minLength}` : `${least} ${maxLength}`;
  const what = format === 'email' ? 'an email address' : 'text';
  const bounded = maxLength === BODY_LIMIT_BYTES ? what : `${what} of ${length} characters`;
  return pattern === undefined || pattern === NOT_BLANK ? bounded : `${bounded} like ${pattern}`;
}
