import { Field, ID, Int } from 'type-graphql';
import { CalendarDate, Decimal, Money, Timestamp } from './scalars.js';

type FieldDecorator = ReturnType<typeof Field>;

interface FieldOptions {
  nullable?: boolean;
  defaultValue?: unknown;
}

/** Of fields that may be null. */
export const NULLABLE = { nullable: true } as const;

const fieldOf =
  (type: () => object) =>
  (description: string, options: FieldOptions = {}): FieldDecorator =>
    Field(type, { ...options, description });

export const IdField = fieldOf(() => ID);
export const TextField = fieldOf(() => String);
export const IntField = fieldOf(() => Int);
export const BooleanField = fieldOf(() => Boolean);
export const DecimalField = fieldOf(() => Decimal);
export const DateField = fieldOf(() => CalendarDate);
export const TimeField = fieldOf(() => Timestamp);
export const MoneyField = fieldOf(() => Money);

/** A field of an enum, of another class of the schema, or of a list of them. */
export function FieldOf(type: () => object, description: string, options: FieldOptions = {}): FieldDecorator {
  return Field(type, { ...options, description });
}
