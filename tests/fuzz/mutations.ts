import type { ContractDocument, Schema } from '../support/document.js';

/** One change that makes a valid body invalid, and the path that the answer must name. */
export interface Mutation {
  what: string;
  path: string;
  /** The whole body with the change. */
  body: unknown;
  /** False if JSON Schema cannot express the rule. */
  isInSchema: boolean;
}

/** A number written in JSON text, which a float might not represent. */
const { rawJSON } = JSON as JSON & { rawJSON: (text: string) => unknown };

interface Site {
  path: string;
  schema: Schema;
  value: unknown;
  /** The body with this value replaced. */
  withValue: (value: unknown) => unknown;
}

/** Every mutation that applies to this body. */
export function mutationsOf(document: ContractDocument, schema: Schema, body: unknown): Mutation[] {
  const root: Site = { path: '', schema: document.resolve<Schema>(schema), value: body, withValue: (value) => value };
  return sitesBelow(document, root).flatMap(mutationsAt);
}

function sitesBelow(document: ContractDocument, site: Site): Site[] {
  return [site, ...childrenOf(document, site).flatMap((child) => sitesBelow(document, child))];
}

function childrenOf(document: ContractDocument, { path, schema, value, withValue }: Site): Site[] {
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => ({
      path: `${path}[${index}]`,
      schema: presentSchema(document, schema.items ?? {}),
      value: item,
      withValue: (changed) => withValue(value.with(index, changed)),
    }));
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).map(([name, part]: [string, unknown]) => ({
    path: below(path, name),
    schema: presentSchema(document, schema.properties?.[name] ?? {}),
    value: part,
    withValue: (changed) => withValue({ ...value, [name]: changed }),
  }));
}

/** For a nullable schema the one of the non-null value, with `null` among its types. */
function presentSchema(document: ContractDocument, schema: Schema): Schema {
  const resolved = document.resolve<Schema>(schema);
  const [present] = (resolved.oneOf ?? resolved.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (!present) return resolved;
  const { type, ...rest } = document.resolve<Schema>(present);
  return { ...rest, type: [type ?? [], 'null'].flat() };
}

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

function mutationsAt(site: Site): Mutation[] {
  const { path, schema, value, withValue } = site;
  const replaced = (what: string, wrong: unknown, isInSchema = true): Mutation => ({
    what: `${what} at ${path || 'the body'}`,
    path,
    body: withValue(wrong),
    isInSchema,
  });
  return [
    ...wrongTypes(schema).map(([name, wrong]) => replaced(`${name} where it does not belong`, wrong)),
    ...wrongNumbers(schema).map(([name, wrong, isInSchema]) => replaced(name, wrong, isInSchema)),
    ...(typeof value === 'string' ? wrongTexts(schema) : []).map(([name, wrong, isInSchema]) =>
      replaced(name, wrong, isInSchema),
    ),
    ...missing(site),
    ...unknownProperties(site),
  ];
}

const OF_TYPE: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 1.5,
  boolean: true,
  null: null,
  array: [],
  object: {},
};

function wrongTypes({ type = [] }: Schema): [string, unknown][] {
  const right = [type].flat();
  const fits = (name: string): boolean => right.includes(name) || (name === 'number' && right.includes('integer'));
  return right.length === 0
    ? []
    : Object.entries(OF_TYPE)
        .filter(([name]) => !fits(name))
        .map(([name, wrong]) => [name, wrong]);
}

function wrongNumbers({ type = [], minimum, maximum, exclusiveMinimum }: Schema): [string, unknown, boolean][] {
  const types = [type].flat();
  const isInteger = types.includes('integer');
  if (!isInteger && !types.includes('number')) return [];
  const found: [string, unknown, boolean][] = [
    // Amounts have no maximum: the number of digits on the wire does not depend on their size.
    ['a number beyond every float', rawJSON('1e400'), isInteger || maximum !== undefined],
    ['a number of 41 digits', rawJSON('1'.repeat(41)), isInteger || maximum !== undefined],
  ];
  if (isInteger) found.push(['half a number', 1.5, true]);
  if (minimum !== undefined) found.push(['one below the minimum', minimum - 1, true]);
  if (maximum !== undefined) found.push(['one above the maximum', maximum + 1, true]);
  if (exclusiveMinimum !== undefined) found.push(['the excluded minimum', exclusiveMinimum, true]);
  return found;
}

function wrongTexts({ enum: words, format, minLength = 0, maxLength }: Schema): WrongText[] {
  if (words) return [['a word that is not in the list', 'no-such-word', true]];
  const made = format === undefined ? undefined : WRONG_TEXTS[format];
  if (made) return made;
  return [
    ['U+0000', 'a\0b', false],
    ['half a surrogate pair', '\ud83c and more', false],
    ...(minLength > 0 ? ([['a text one too short', 'x'.repeat(minLength - 1), true]] as WrongText[]) : []),
    ...(maxLength !== undefined && maxLength <= 20_000
      ? ([['a text one too long', '🎬'.repeat(maxLength + 1), true]] as WrongText[])
      : []),
  ];
}

function missing({ path, schema, value, withValue }: Site): Mutation[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return (schema.required ?? []).map((name) => ({
    what: `no ${below(path, name)}`,
    path: below(path, name),
    body: withValue(Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))),
    isInSchema: true,
  }));
}

const STRANGERS = ['surprise', '__proto__', 'constructor', 'toString', 'Title', 'a.b', 'ключ'];

function unknownProperties({ path, value, withValue }: Site): Mutation[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return STRANGERS.map((name) => ({
    what: `an unknown property ${name} in ${path || 'the body'}`,
    path: below(path, name),
    // Defined, not assigned: `__proto__` must become an own property, as in JSON.
    body: withValue(Object.defineProperty({ ...value }, name, { value: 1, enumerable: true })),
    isInSchema: true,
  }));
}

/** Description, text, and whether the schema itself refuses it. */
type WrongText = [what: string, text: string, isInSchema: boolean];

/** Texts that resemble a format and are invalid. */
export const WRONG_TEXTS: Readonly<Record<string, WrongText[] | undefined>> = {
  uuid: [
    ['no id', 'no-id', true],
    ['an id with a space', '019b2f6e-6c1d-7a54-8f0e-5d2f3a9b7c41 ', true],
    ['an id of version 9', '019b2f6e-6c1d-9a54-8f0e-5d2f3a9b7c41', false],
  ],
  date: [
    ['a day that is not in the calendar', '2027-02-29', true],
    ['the year zero', '0000-01-01', false],
    ['a moment for a day', '2027-02-28T00:00:00Z', true],
    ['a day with one digit', '2027-2-8', true],
  ],
  'date-time': [
    ['a moment with an offset', '2027-02-28T00:00:00+01:00', false],
    ['a moment without a zone', '2027-02-28T00:00:00', true],
    ['an hour that no day has', '2027-02-28T25:00:00Z', true],
    ['a day for a moment', '2027-02-28', true],
  ],
  email: [
    ['no address', 'nobody', true],
    ['two addresses', 'a@b.example,c@d.example', true],
    ['a line break in an address', 'a@b.example\n', true],
  ],
};
