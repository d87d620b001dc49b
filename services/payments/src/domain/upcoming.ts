import { mondayOf, Money, type CalendarDate } from '@payroll/kernel';
import type { MoneyValue } from './values.js';

/** The amount due on one day in one currency. */
export interface DueDay {
  currency: string;
  /** Null: after the horizon. */
  day: CalendarDate | null;
  amount: string;
  payments: number;
}

export interface UpcomingWeek {
  /** The week's Monday; null: after the listed weeks. */
  week: CalendarDate | null;
  amount: MoneyValue;
  payments: number;
}

/** A currency in which more is due by a day than can be spent. */
export interface Shortfall {
  /** The first such day. */
  day: CalendarDate;
  missing: MoneyValue;
  /** For everything due within the listed weeks. */
  missingInAll: MoneyValue;
}

export const WEEKS_AHEAD = 13;

/** By week and then by currency. `days` must be in order, those after the horizon last. */
export function upcomingWeeks(days: readonly DueDay[]): UpcomingWeek[] {
  const weeks = Map.groupBy(days, ({ day, currency }) => `${day === null ? '~' : mondayOf(day)} ${currency}`);
  return [...weeks.keys()].toSorted().map((key) => {
    const [first, ...rest] = weeks.get(key)! as [DueDay, ...DueDay[]];
    return {
      week: first.day === null ? null : mondayOf(first.day),
      amount: rest.reduce((sum, next) => sum.plus(owed(next)), owed(first)).toJSON(),
      payments: [first, ...rest].reduce((count, { payments }) => count + payments, 0),
    };
  });
}

/** Ignores days after the horizon: more money may arrive until then. */
export function shortfalls(days: readonly DueDay[], available: ReadonlyMap<string, string>): Shortfall[] {
  const soon = days.filter((each): each is DueDay & { day: string } => each.day !== null);
  return [...Map.groupBy(soon, ({ currency }) => currency)].flatMap(([currency, due]) => {
    let left = Money.stored(available.get(currency) ?? '0', currency);
    let first: { day: CalendarDate; missing: MoneyValue } | null = null;
    for (const each of due) {
      left = left.minus(owed(each));
      if (first === null && left.negated().isPositive()) first = { day: each.day, missing: left.negated().toJSON() };
    }
    return first === null ? [] : [{ ...first, missingInAll: left.negated().toJSON() }];
  });
}

function owed({ amount, currency }: DueDay): Money {
  return Money.stored(amount, currency);
}
