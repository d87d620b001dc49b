import { p, Type } from '@mikro-orm/core';
import { type Instant, toInstant } from '@payroll/kernel';

class InstantType extends Type<Instant, string> {
  override getColumnType(): string {
    return 'timestamptz(6)';
  }

  override convertToJSValue(value: string): Instant {
    return toInstant(value);
  }

  override compareAsType(): string {
    return 'string';
  }
}

/** A moment with microseconds; a string on both sides (see `Instant`). */
export const instant = () => p.type(InstantType);

/** An exact decimal of any size; a string on both sides. */
export const exactNumber = () => p.decimal('string').columnType('numeric');
