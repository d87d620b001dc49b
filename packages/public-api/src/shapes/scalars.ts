import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';

/** Larger bodies are refused with 413, so this also limits the length of every text in a request. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** All that is wrong is said at once, but a hostile body gets no answer larger than itself. */
export const MAX_PROBLEMS = 1000;

/** The maximum of a Postgres `integer` and a GraphQL `Int`. */
const GREATEST_INTEGER = 2_147_483_647;

/** The keywords that the shapes here are made of. */
export interface Keywords {
  type?: string | readonly string[];
  enum?: readonly (string | null)[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxItems?: number;
  items?: TSchema;
  properties?: Readonly<Record<string, TSchema>>;
  additionalProperties?: unknown;
  default?: unknown;
}

interface Notes {
  description?: string;
}

/** public-api.md §1: UUIDs of versions 1–8, all-zero and all-f. */
export const Id = Type.String({ format: 'uuid', maxLength: 36 });

/** `YYYY-MM-DD`, valid in the calendar. */
export const Day = Type.String({ format: 'date', maxLength: 10 });

/** UTC, ending in `Z`, to the microsecond as answers show it. */
export const Timestamp = Type.String({ format: 'date-time', maxLength: 27 });

/** An exact amount of money on the wire: the number is text, because a JSON number would lose digits. */
export const Money = strictObject('An exact amount in a currency.', {
  amount: Type.String({
    pattern: String.raw`^-?(0|[1-9]\d*)(\.\d+)?$`,
    maxLength: 40,
    description: 'A decimal number. Keep it a string, or use a decimal library.',
  }),
  currency: Type.String({ pattern: '^[A-Z]{3,4}$', maxLength: 4, description: 'An ISO 4217 code, or `USDC`.' }),
});

/** An object with these properties and no others. */
export function strictObject<Properties extends TProperties>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, description });
}

/** A shape with what one use of it means. Not for text (see `text`): copying a shape drops its refinements. */
export function withDescription<Shape extends TSchema>(shape: Shape, description: string): TUnsafe<Static<Shape>> {
  return Type.Unsafe({ ...shape, description });
}

type TextBounds = Notes & Pick<Keywords, 'minLength' | 'maxLength' | 'pattern'> & { format?: 'email' };

/**
 * Text that a person or program wrote. Lengths are Unicode code points; what Postgres cannot store is refused. Where the
 * public contract sets no limit, the size of a body does.
 */
export const text = (bounds: TextBounds = {}) => storable(Type.String({ maxLength: BODY_LIMIT_BYTES, ...bounds }));

export const nullableText = (bounds: TextBounds) =>
  storable(Type.Unsafe<string | null>({ maxLength: BODY_LIMIT_BYTES, ...bounds, type: ['string', 'null'] }));

/** Matches what is more than white space. */
export const NOT_BLANK = String.raw`\S`;

/** Text whose white space at both ends neither counts nor is kept: it is cut off before anything is looked at. */
export const trimmedText = (maxLength: number, notes: Notes) =>
  storable(
    Type.Unsafe<string>({ ...notes, type: 'string', minLength: 1, maxLength, pattern: NOT_BLANK, [TRIMMED]: true }),
  );

/** The keyword of such text. */
export const TRIMMED = 'x-trimmed';

/** One of a closed list of words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, notes: Notes & { default?: string }) =>
  Type.Unsafe<Words[number]>({ ...notes, type: 'string', enum: [...words] });

/** The shape, or null. Not for text (see `nullableText`): copying a shape drops its refinements. */
export function nullable<Shape extends TSchema>(shape: Shape, notes: Notes): TUnsafe<Static<Shape> | null> {
  const { type, enum: words, ...rest } = shape as Shape & { type?: string; enum?: string[] };
  return Type.Unsafe({ ...rest, ...notes, type: [type, 'null'], ...(words ? { enum: [...words, null] } : {}) });
}

/**
 * A JSON number that is read digit by digit: inside it is a decimal string and never a float. The bounds hold for the
 * number as written.
 */
export const exactNumber = (bounds: { exclusiveMinimum?: 0; minimum?: 0; maximum?: number } & Notes) =>
  Type.Unsafe<string>({ ...bounds, type: 'number', format: 'decimal' });

/** A count. The upper bound is what the stores hold. */
export const count = (minimum: 0 | 1, more: { default?: number } & Notes) =>
  Type.Integer({ ...more, format: 'int32', minimum, maximum: GREATEST_INTEGER });

/** U+0000 has no place in a Postgres text, and half a surrogate pair none in UTF-8. */
function storable<Shape extends TSchema>(shape: Shape) {
  return Type.Refine(
    shape,
    (value: unknown) => typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0')),
    () => 'invalid_characters',
  );
}
