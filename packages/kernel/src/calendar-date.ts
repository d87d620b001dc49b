/** A day as `YYYY-MM-DD`, valid in the calendar (public-api.md §1). Days have no time zone: due days are counted in UTC. */
export type CalendarDate = string;

const FORM = /^\d{4}-\d{2}-\d{2}$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAY_MS = 86_400_000;

export function isCalendarDate(value: unknown): value is CalendarDate {
  return typeof value === 'string' && FORM.test(value) && isDay(value);
}

/** Whether the day that a text in ISO 8601 begins with exists. Reckoned, not parsed: each answer holds many. */
export function isDay(text: string): boolean {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month === 2 && isLeap ? 29 : DAYS[month - 1];
  return last !== undefined && day >= 1 && day <= last;
}

export function addDays(date: CalendarDate, days: number): CalendarDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The UTC day of an instant. */
export function dayOf(instant: Date | string): CalendarDate {
  return (typeof instant === 'string' ? instant : instant.toISOString()).slice(0, 10);
}
