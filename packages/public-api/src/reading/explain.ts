import type { ErrorDetail } from '@payroll/kernel';
import type { TSchema } from 'typebox';
import { BODY_LIMIT_BYTES, GREATEST_INTEGER, NOT_BLANK, type Keywords as Shape } from '../shapes/scalars.js';

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
  const isSaid = maximum !== undefined && maximum !== GREATEST_INTEGER;
  if (!isSaid) return minimum !== undefined && from !== '' ? ` of ${minimum} or more` : from;
  return from === '' ? ` of at most ${maximum}` : `${from} to ${maximum}`;
}

function textOf({ format, pattern, minLength = 0, maxLength = BODY_LIMIT_BYTES }: Shape): string {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  const least = minLength === 0 ? 'at most' : `${minLength} to`;
  const length = minLength === maxLength ? `${minLength}` : `${least} ${maxLength}`;
  const what = format === 'email' ? 'an e-mail address' : 'text';
  const bounded = maxLength === BODY_LIMIT_BYTES ? what : `${what} of ${length} characters`;
  return pattern === undefined || pattern === NOT_BLANK ? bounded : `${bounded} like ${pattern}`;
}
