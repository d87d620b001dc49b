import { addDays, isCalendarDate } from '@payroll/kernel';

/** The Monday of the week that the day is in. */
export function mondayOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** The week that the address names by any of its days, as its Monday; else the one of today. */
export function weekIn(asked: string | undefined, today: string): string {
  return mondayOf(asked !== undefined && isCalendarDate(asked) ? asked : today);
}

/** The days of the week on which work can be done under the contract. */
export function daysOf(
  monday: string,
  { firstDay, lastDay }: { firstDay: string | null; lastDay: string | null },
): string[] {
  const week = Array.from({ length: 7 }, (_, n) => addDays(monday, n));
  return week.filter((day) => (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay));
}
