import { Field, ID, Int, registerEnumType } from 'type-graphql';
import { CalendarDate, Decimal, Money, Timestamp } from './scalars.js';

type FieldDecorator = ReturnType<typeof Field>;

interface FieldOptions {
  nullable?: boolean;
  defaultValue?: unknown;
}

export const NULLABLE = { nullable: true } as const;

/** Without a resolver: a compiled query reads the field's value from the property (ADR 07). */
const PROPERTY = { simple: true } as const;

const fieldOf =
  (type: () => object) =>
  (description: string, options?: FieldOptions): FieldDecorator =>
    of(type, description, options);

export const id = fieldOf(() => ID);
export const text = fieldOf(() => String);
export const int = fieldOf(() => Int);
export const boolean = fieldOf(() => Boolean);
export const decimal = fieldOf(() => Decimal);
export const day = fieldOf(() => CalendarDate);
export const time = fieldOf(() => Timestamp);
export const money = fieldOf(() => Money);

/** A field of an enum, of another class of the schema, or of a list of them. */
export function of(type: () => object, description: string, options: FieldOptions = {}): FieldDecorator {
  return Field(type, { ...options, ...PROPERTY, description });
}

/** An enum of the schema whose names are the stored words themselves. */
export function enumOf(name: string, words: readonly string[], description: string): Record<string, string> {
  const values = Object.fromEntries(words.map((word) => [word, word]));
  registerEnumType(values, { name, description });
  return values;
}
