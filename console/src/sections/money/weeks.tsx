import { addDays, mondayOf } from '@payroll/kernel';
import { capped, Empty, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount } from '../../pieces.js';
import { dayText } from '../../words.js';
import { WeekChart } from './chart.js';
import type { Shortfall, Week } from './operations.js';

/** How many weeks are drawn, including those in which nothing is due. */
const WEEKS_DRAWN = 8;

export interface WeeksProps {
  weeks: readonly Week[];
  shortfalls: readonly Shortfall[];
  today: string;
}

export function Weeks({ weeks, shortfalls, today }: WeeksProps): VNode {
  if (weeks.length === 0) {
    return <Empty title="No payment is scheduled">Approved work stands here while its payment is scheduled.</Empty>;
  }
  return (
    <>
      {[...Map.groupBy(weeks, ({ amount }) => amount.currency)].map(([currency, inIt]) => {
        const shortfall = shortfalls.find(({ missing }) => missing.currency === currency);
        return (
          <figure key={currency}>
            <figcaption>
              {currency}
              {shortfall && (
                <span class="hint"> Dashed and marked with “!”: not covered by your balance as it is now.</span>
              )}
            </figcaption>
            <WeekChart {...{ currency, shortfall }} weeks={drawn(inIt, currency, today)} />
          </figure>
        );
      })}
      <Table
        caption="Due by week and currency"
        rows={weeks.map((each) => ({ ...each, id: `${each.week} ${each.amount.currency}` }))}
        columns={{
          'Week of': ({ week }) => (week === null ? 'Later than thirteen weeks' : dayText(week)),
          Payments: ({ payments }) => capped(payments),
          Amount: ({ amount }) => <Amount of={amount} />,
        }}
        numbers={['Amount', 'Payments']}
        plain={['Amount']}
      />
      <p class="hint">What is overdue, and what failed for want of money, counts in this week.</p>
    </>
  );
}

function drawn(weeks: readonly Week[], currency: string, today: string): (Week & { week: string })[] {
  const first = mondayOf(today);
  return Array.from({ length: WEEKS_DRAWN }, (_, n) => {
    const week = addDays(first, 7 * n);
    const known = weeks.find((each) => each.week === week);
    return { amount: { amount: '0', currency }, payments: 0, ...known, week };
  });
}
