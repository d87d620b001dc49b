/** A day as `YYYY-MM-DD`, valid in the calendar (public-api.md §1). Days have no time zone: due days are counted in UTC. */
export type CalendarDate = string;

const DAY_FORM = /^\d{4}-\d{2}-\d{2}$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

export function isCalendarDate(value: unknown): value is CalendarDate {
  return typeof value === 'string' && DAY_FORM.test(value) && isDay(value);
}

/**
 * Whether the day at the start of an ISO 8601 text exists. Calculated, not parsed: each answer has many. Year 0 is in
 * ISO 8601's calendar, but not in Postgres'.
 */
function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return year >= 1 && last !== undefined && day >= 1 && day <= last;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

/** The first day of its week, as ISO 8601 counts weeks. */
export function mondayOf(date: CalendarDate): CalendarDate {
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The UTC day of an instant. */
export function dayOf(instant: Date | string): CalendarDate {
  return (typeof instant === 'string' ? instant : instant.toISOString()).slice(0, 10);
}

/** UTC ISO 8601 text with microseconds, which a `Date` would lose and pollers rely on. Fixed width: it sorts by time. */
export type Instant = string;

const POSTGRES_FORM = /^(\d{4,}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?(?:\+00(?::?00)?|Z)$/;
const FULL_FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00$/;
const WIRE_FORM = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

/** Reads Postgres' text form of a `timestamptz` (session time zone UTC) or an ISO string in UTC. */
export function toInstant(text: string): Instant {
  // The usual form, fast.
  if (FULL_FORM.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 26)}Z`;
  const match = POSTGRES_FORM.exec(text);
  if (!match) throw new RangeError(`Not a UTC timestamp: ${text}`);
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(6, '0')}Z`;
}

/** A UTC timestamp ending in `Z` with any number of fractional digits (public-api.md §1), on a day and time that exist. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && WIRE_FORM.test(value) && isDay(value);
}

export function instantOf(date: Date): Instant {
  return toInstant(date.toISOString());
}

/** As many days of 24 hours later. */
export function daysAfter(instant: Instant, days: number): Instant {
  return `${addDays(dayOf(instant), days)}${instant.slice('YYYY-MM-DD'.length)}`;
}

/** To the microsecond. */
export function hoursAfter(instant: Instant, hours: number): Instant {
  const later = new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
  return later.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) + instant.slice('YYYY-MM-DDTHH:MM:SS'.length);
}

/** Milliseconds from one moment to another; negative when the other is earlier. */
export function msBetween(from: Instant, to: Instant): number {
  return Date.parse(to) - Date.parse(from);
}
