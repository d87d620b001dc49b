import { Type, type Static, type TSchema, type TUnsafe } from 'typebox';

/** Keywords of JSON Schema that shapes here set beside the ones TypeBox names. */
interface Notes {
  description?: string;
}

/** public-api.md §1: UUIDs of versions 1–8, all-zero and all-f. */
export const Id = Type.String({ format: 'uuid', maxLength: 36 });

/** `YYYY-MM-DD`, valid in the calendar. */
export const Day = Type.String({ format: 'date', maxLength: 10 });

/** UTC, ending in `Z`, with any number of fractional digits. */
export const Timestamp = Type.String({ format: 'date-time' });

/** An exact amount of money on the wire: the number is text, because a JSON number would lose digits. */
export const Money = Type.Object(
  {
    amount: Type.String({ pattern: String.raw`^-?(0|[1-9]\d*)(\.\d+)?$`, maxLength: 40 }),
    currency: Type.String({ pattern: '^[A-Z]{3,4}$', maxLength: 4 }),
  },
  { additionalProperties: false },
);

interface TextBounds extends Notes {
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: 'email';
}

/** Text that a person or program wrote. Lengths are Unicode code points; what Postgres cannot keep is refused. */
export const text = (bounds: TextBounds = {}) => storable(Type.String({ ...bounds }));

export const nullableText = (bounds: TextBounds = {}) =>
  storable(Type.Unsafe<string | null>({ ...bounds, type: ['string', 'null'] }));

/** Text that counts, and is used, without the white space around it. */
export function trimmedText(maxLength: number, notes: Notes = {}) {
  const trimmed = storable(Type.Unsafe<string>({ ...notes, type: 'string', minLength: 1, 'x-trimmed': true }));
  const present = Type.Refine(
    trimmed,
    (value) => typeof value !== 'string' || value.trim() !== '',
    () => 'too_short',
  );
  return Type.Refine(
    present,
    (value) => typeof value !== 'string' || [...value.trim()].length <= maxLength,
    () => 'too_long',
  );
}

/** One of a closed list of words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, notes: Notes & { default?: string } = {}) =>
  Type.Unsafe<Words[number]>({ ...notes, type: 'string', enum: [...words] });

/** The shape, or null. Not for text (see `nullableText`): copying a shape drops its refinements. */
export function nullable<Shape extends TSchema>(shape: Shape): TUnsafe<Static<Shape> | null> {
  const { type, enum: words, ...rest } = shape as Shape & { type?: string; enum?: string[] };
  return Type.Unsafe({ ...rest, type: [type, 'null'], ...(words ? { enum: [...words, null] } : {}) });
}

/**
 * A JSON number that is read digit by digit: inside it is a decimal string and never a float. The bounds hold for the
 * number as written.
 */
export const exactNumber = (bounds: { exclusiveMinimum?: 0; minimum?: 0; maximum?: number } & Notes) =>
  Type.Unsafe<string>({ ...bounds, type: 'number', format: 'decimal' });

/** A count. The upper bound is what a Postgres `integer` and a GraphQL `Int` hold. */
export const count = (minimum: 0 | 1, more: { default?: number } & Notes = {}) =>
  Type.Integer({ ...more, minimum, maximum: 2_147_483_647 });

/** U+0000 has no place in a Postgres text, and half a surrogate pair none in UTF-8. */
function storable<Shape extends TSchema>(shape: Shape) {
  return Type.Refine(
    shape,
    (value: unknown) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0')),
    () => 'invalid_characters',
  );
}
