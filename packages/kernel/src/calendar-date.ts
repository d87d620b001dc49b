/** A day as `YYYY-MM-DD`, valid in the calendar (public-api.md §1). Days have no time zone: due days are counted in UTC. */
export type CalendarDate = string;

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

export function isCalendarDate(value: unknown): value is CalendarDate {
  if (typeof value !== 'string' || !FORM.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  // An impossible day such as 02-30 either fails to parse or rolls over into the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The UTC day of an instant. */
export function dayOf(instant: Date | string): CalendarDate {
  return (typeof instant === 'string' ? instant : instant.toISOString()).slice(0, 10);
}
