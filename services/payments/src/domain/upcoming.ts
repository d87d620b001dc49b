import { mondayOf, Money, type CalendarDate } from '@payroll/kernel';

/** The amount due on one day in one currency. */
export interface DueDay {
  currency: string;
  /** Null: after the horizon. */
  day: CalendarDate | null;
  amount: string;
  payments: number;
}

export const WEEKS_AHEAD = 13;

/**
 * By week, named by its Monday, and then by currency. `days` must be in order, those after the horizon last: these are
 * of the week null.
 */
export function upcomingWeeks(days: readonly DueDay[]) {
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

/**
 * By day, then by currency, as given, with the balance after it, negative where the money does not suffice. Ignores
 * days after the horizon: more money may arrive until then.
 */
export function upcomingDays(days: readonly DueDay[], available: ReadonlyMap<string, string>) {
  const left = new Map<string, Money>();
  return days.flatMap((each) => {
    const { day, currency, payments } = each;
    if (day === null) return [];
    const before = left.get(currency) ?? Money.stored(available.get(currency) ?? '0', currency);
    const after = before.minus(owed(each));
    left.set(currency, after);
    return [{ day, payments, amount: owed(each).toJSON(), balanceAfter: after.toJSON() }];
  });
}

type UpcomingDay = ReturnType<typeof upcomingDays>[number];

/** The currencies in which more is due by a day than can be spent: the first such day, and the amount missing in all. */
export function shortfalls(days: readonly UpcomingDay[]) {
  const missingOn = ({ balanceAfter: { amount, currency } }: UpcomingDay) => Money.stored(amount, currency).negated();
  return [...Map.groupBy(days, ({ amount }) => amount.currency).values()].flatMap((due) => {
    const first = due.find((each) => missingOn(each).isPositive());
    if (first === undefined) return [];
    return [{ day: first.day, missing: missingOn(first).toJSON(), missingInAll: missingOn(due.at(-1)!).toJSON() }];
  });
}

function owed({ amount, currency }: DueDay): Money {
  return Money.stored(amount, currency);
}
