import { isDay } from './calendar-date.js';

/**
 * A moment as a UTC ISO 8601 string with six fractional digits, `2026-01-31T09:00:00.000001Z`. It is a string from the
 * column to the wire because a JavaScript `Date` would cut the microseconds that pollers rely on; fixed width makes
 * string order the order of time.
 */
export type Instant = string;

const POSTGRES_FORM = /^(\d{4,}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:\+00(?::?00)?|Z)$/;
const FULL_FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00$/;
const WIRE_FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** Reads Postgres' text form of a `timestamptz` (session time zone UTC) or an ISO string in UTC. */
export function toInstant(text: string): Instant {
  // As Postgres writes nearly all of them.
  if (FULL_FORM.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 26)}Z`;
  const match = POSTGRES_FORM.exec(text);
  if (!match) throw new RangeError(`Not a UTC timestamp: ${text}`);
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`;
}

/** A UTC timestamp ending in `Z` with any number of fractional digits (public-api.md §1), on a day and time that exist. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && WIRE_FORM.test(value) && isDay(value);
}

/** For times that come from a clock in this process, whose precision is milliseconds. */
export function instantOf(date: Date): Instant {
  return toInstant(date.toISOString());
}

/** Milliseconds from one moment to another; negative when the other is earlier. */
export function msBetween(from: Instant, to: Instant): number {
  return Date.parse(to) - Date.parse(from);
}
