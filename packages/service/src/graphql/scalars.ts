import 'reflect-metadata';
import { ROLES, isCalendarDate, isDecimal, isInstant } from '@payroll/kernel';
import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';
import { Directive, Field, ObjectType } from 'type-graphql';
import { VisibleTo, TERMS_READERS } from './permissions.js';

/** A scalar that is a string on the wire and inside, and says what it expected when it is something else. */
function textScalar(
  name: string,
  description: string,
  accepts: (value: unknown) => boolean,
): GraphQLScalarType<string> {
  const check = (value: unknown): string => {
    if (typeof value !== 'string' || !accepts(value)) throw new GraphQLError(`${name}: expected ${description}`);
    return value;
  };
  return new GraphQLScalarType<string>({
    name,
    description,
    serialize: String,
    parseValue: check,
    parseLiteral: (node) => check(node.kind === Kind.STRING ? node.value : undefined),
  });
}

export const Timestamp = textScalar('Timestamp', 'a UTC ISO 8601 date-time ending in Z, to the microsecond', isInstant);
export const CalendarDate = textScalar(
  'CalendarDate',
  'a day as YYYY-MM-DD that exists in the calendar',
  isCalendarDate,
);
export const Decimal = textScalar(
  'Decimal',
  'an exact decimal number as a string, such as "12.50"',
  (value) => typeof value === 'string' && isDecimal(value),
);

@VisibleTo({ teams: TERMS_READERS, people: [...ROLES, 'worker'] })
@Directive('@shareable')
@ObjectType({ description: 'An exact amount in a currency.' })
export class Money {
  @Field(() => String, { simple: true, description: 'A decimal string; never a float.' })
  amount!: string;

  @Field(() => String, { simple: true, description: 'ISO 4217, or USDC.' })
  currency!: string;
}
