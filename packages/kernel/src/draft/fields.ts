import type { CalendarDate } from '../time.js';

/** The values that a field of a draft accepts; validation, documentation and schemas are derived from it. */
export type DraftField = FieldInfo &
  (
    | { kind: 'text'; minLength: number; maxLength: number }
    | { kind: 'email' | 'day' | 'percentage' | 'texts' | 'ids' }
    | { kind: 'count'; minimum: 0 | 1; default?: number }
    | { kind: 'flag'; default: boolean }
    | { kind: 'word'; words: readonly string[] }
    | { kind: 'currency'; default: string }
    /** A decimal string in the currency of the draft. */
    | { kind: 'amount'; bound: { exclusiveMinimum: 0 } | { minimum: 0 } }
    | { kind: 'list'; item: ObjectField }
    | ObjectField
  );

interface FieldInfo {
  description: string;
  required?: true;
  /** null may be sent to `/v1`, too. Inside, every field that is not required may be null. */
  nullable?: true;
}

export interface ObjectField extends FieldInfo {
  kind: 'object';
  fields: DraftFields;
}

export type DraftFields = Readonly<Record<string, DraftField>>;

/** The value of an object of these fields. `Empty` is what stands for a field that was not given, beside its absence. */
export type DraftOf<Fields extends DraftFields, Empty = null | undefined> = {
  -readonly [Name in keyof Fields as Fields[Name] extends { required: true } ? Name : never]: ValueOf<
    Fields[Name],
    Empty
  >;
} & {
  -readonly [Name in keyof Fields as Fields[Name] extends { required: true } ? never : Name]?:
    | ValueOf<Fields[Name], Empty>
    | (Fields[Name] extends { nullable: true } ? null : never)
    | Empty;
};

type ValueOf<Field extends DraftField, Empty> = Values<Field, Empty>[Field['kind']];

interface Values<Field, Empty> {
  text: string;
  email: string;
  day: CalendarDate;
  count: number;
  flag: boolean;
  currency: string;
  amount: string;
  percentage: string;
  texts: string[];
  ids: string[];
  word: Field extends { words: readonly (infer Word)[] } ? Word : never;
  object: Field extends { fields: infer Fields extends DraftFields } ? DraftOf<Fields, Empty> : never;
  list: Field extends { item: { fields: infer Fields extends DraftFields } } ? DraftOf<Fields, Empty>[] : never;
}

// Makers of fields, so that a table of them reads as the table of the public contract.

export const text = (description: string, minLength: number, maxLength = Number.POSITIVE_INFINITY) =>
  ({ kind: 'text', description, minLength, maxLength }) as const;

export const plain = <const Kind extends 'email' | 'day' | 'percentage' | 'texts' | 'ids'>(
  kind: Kind,
  description: string,
) => ({ kind, description }) as const;

export const day = (description: string) => ({ kind: 'day', description }) as const;

export const count = (description: string, minimum: 0 | 1, byDefault: { default?: number } = {}) =>
  ({ kind: 'count', description, minimum, ...byDefault }) as const;

export const word = <const Words extends readonly string[]>(description: string, words: Words) =>
  ({ kind: 'word', description, words }) as const;

const ABOVE_ZERO = { exclusiveMinimum: 0 } as const;

export const amount = (description: string, bound: { exclusiveMinimum: 0 } | { minimum: 0 } = ABOVE_ZERO) =>
  ({ kind: 'amount', description, bound }) as const;

export const object = <const Fields extends DraftFields>(description: string, fields: Fields) =>
  ({ kind: 'object', description, fields }) as const;

/** At most this many rows fit a form and an agreement; the page stays under 2 MB. */
export const MAX_ROWS = 500;

export const list = <const Item extends ObjectField>(description: string, item: Item) =>
  ({ kind: 'list', description, item }) as const;

export const required = <const Field extends DraftField>(field: Field) => ({ ...field, required: true }) as const;

export const nullable = <const Field extends DraftField>(field: Field) => ({ ...field, nullable: true }) as const;
