import { addDays, type CalendarDate, daysBetween, type FREQUENCIES, mondayOf } from '@payroll/kernel';

type Frequency = (typeof FREQUENCIES)[number];

const DAYS: Readonly<Record<Frequency, number>> = { daily: 1, weekly: 7, biweekly: 14, monthly: 30 };

/** A period, as people call it. */
export const PERIOD_NAMES: Readonly<Record<Frequency, string>> = {
  daily: 'day',
  weekly: 'week',
  biweekly: 'two weeks',
  monthly: 'month',
};

/** Days off at the ends of a period. */
const WEEKEND = 2;

/**
 * The most payment periods of a retainer that these days can be: whole ones, also without the weekends at their ends, or a part of
 * one in proportion. Days of a contract are paid once, so all its work together is not much more than the calendar has.
 * @param mayBeShort whether the days may be one whole period that began late, where a week or month ends with them
 */
export function mostPeriods(
  first: CalendarDate,
  last: CalendarDate,
  frequency: Frequency,
  mayBeShort: boolean,
): number {
  const days = 1 + daysBetween(first, last);
  if (frequency === 'daily') return days;
  const isMonthly = frequency === 'monthly';
  const [begin, end] = [isMonthly ? monthBegin(first) : first, isMonthly ? monthEnd(last) : weekEnd(last)];
  const next = addDays(end, 1);
  const isEnd = isMonthly ? next.endsWith('-01') : next === mondayOf(next);
  // February has two days fewer.
  const whole = Math.floor((1 + daysBetween(begin, end) + (isMonthly ? 2 : 0)) / DAYS[frequency]);
  return Math.max(whole, days / DAYS[frequency], mayBeShort && isEnd ? 1 : 0);
}

/** The first of the month, if at most a weekend lies before the day. */
function monthBegin(day: CalendarDate): CalendarDate {
  const begin = `${day.slice(0, 8)}01`;
  return daysBetween(begin, day) <= WEEKEND ? begin : day;
}

/** The last of the month, if at most a weekend follows the day. */
function monthEnd(day: CalendarDate): CalendarDate {
  const next = addDays(day, WEEKEND + 1);
  return next.slice(0, 7) === day.slice(0, 7) ? day : addDays(`${next.slice(0, 8)}01`, -1);
}

/** The Sunday after a Friday or Saturday. */
function weekEnd(day: CalendarDate): CalendarDate {
  const sunday = addDays(mondayOf(day), 6);
  return daysBetween(day, sunday) <= WEEKEND ? sunday : day;
}
