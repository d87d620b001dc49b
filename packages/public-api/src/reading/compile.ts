import { isCalendarDate, isId, isInstant } from '@payroll/kernel';
import type { Static, TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Format } from 'typebox/format';
import { Settings } from 'typebox/system';
import { MOST_PROBLEMS } from '../shapes/limits.js';

/**
 * TypeBox' own formats are looser: any version digit, offsets other than `Z`, white space in a quoted local part. And it
 * stops at 8 problems.
 */
function tightenFormats(): void {
  Settings.Set({ maxErrors: MOST_PROBLEMS });
  Format.Set('uuid', isId);
  Format.Set('date', (value) => isCalendarDate(value) && hasYear(value));
  Format.Set('date-time', (value) => isInstant(value) && hasYear(value));
  const isEmail = Format.Get('email')!;
  Format.Set('email', (value) => !/[\s\p{Cc}]/u.test(value) && isEmail(value));
}

/** Year 0 is in ISO 8601's calendar, but not in Postgres'. */
function hasYear(value: string): boolean {
  return !value.startsWith('0000');
}

let tightened = false;

/** Compiles a shape, with the formats of the public contract. */
export function compile<Shape extends TSchema>(shape: Shape): Validator<Record<never, never>, Shape, Static<Shape>> {
  if (!tightened) tightenFormats();
  tightened = true;
  return Compile(shape);
}
