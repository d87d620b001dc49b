import { addDays, mondayOf } from '@payroll/kernel';
import { capped, EmptyState, MAX_COUNTED, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount } from '../../pieces.js';
import { dayText, moneyText } from '../../words.js';
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
    return (
      <EmptyState title="No payment is scheduled">Approved work stands here while its payment is scheduled.</EmptyState>
    );
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

/** Payments that failed for lack of funds count as due, the others are owed all the same. */
export function notCountedText(failed: readonly { failureReason: string | null }[]): string | null {
  const others = failed.filter(({ failureReason }) => failureReason !== 'insufficient_funds').length;
  // Older ones than those that were read may have failed for either reason.
  if (failed.length >= MAX_COUNTED)
    return 'Payments that failed for another reason than want of money are not counted: they are owed all the same.';
  if (others === 0) return null;
  const [are, payments, they] = others === 1 ? ['is', 'payment', 'it is'] : ['are', 'payments', 'they are'];
  return `Not counted ${are} ${others} ${payments} that failed for another reason than want of money: ${they} owed all the same.`;
}

function drawn(weeks: readonly Week[], currency: string, today: string): (Week & { week: string })[] {
  const first = mondayOf(today);
  return Array.from({ length: WEEKS_DRAWN }, (_, n) => {
    const week = addDays(first, 7 * n);
    const known = weeks.find((each) => each.week === week);
    return { amount: { amount: '0', currency }, payments: 0, ...known, week };
  });
}

const HEIGHT = 120;
const TOP = 18;
const STEP = 72;
/** Characters. A longer amount is too wide for its bar; the table shows it. */
const LONGEST_VALUE = 10;

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function shortDay(day: string): string {
  return DAY.format(new Date(`${day}T00:00:00Z`));
}

interface WeekChartProps {
  currency: string;
  /** One for each week, including weeks without payments. */
  weeks: readonly (Week & { week: string })[];
  shortfall: Shortfall | undefined;
}

/** The amounts due by week in one currency. The table below has the same figures for people who cannot see the chart. */
function WeekChart({ currency, weeks, shortfall }: WeekChartProps): VNode {
  const tall = heights(
    weeks.map(({ amount }) => amount.amount),
    HEIGHT,
  );
  const [width, bottom] = [weeks.length * STEP, TOP + HEIGHT];
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${bottom + 20}`}
      role="img"
      aria-label={`Due by week in ${currency}; the table below has the numbers`}
    >
      {weeks.map(({ week, amount, payments }, n) => {
        const isShort = shortfall !== undefined && shortfall.day <= addDays(week, 6) && payments > 0;
        return (
          <g key={week} class={isShort ? 'not-covered' : undefined}>
            <rect x={n * STEP + 14} y={bottom - tall[n]!} width={STEP - 28} height={tall[n]} rx="3">
              <title>{`${shortDay(week)}: ${moneyText(amount)}${isShort ? ', not covered' : ''}`}</title>
            </rect>
            <text x={n * STEP + STEP / 2} y={bottom - tall[n]! - 5} text-anchor="middle">
              {payments > 0 && valueText(amount, isShort)}
            </text>
            <text x={n * STEP + STEP / 2} y={bottom + 15} text-anchor="middle">
              {shortDay(week)}
            </text>
          </g>
        );
      })}
      <line x1="0" x2={width} y1={bottom} y2={bottom} />
    </svg>
  );
}

/** The exclamation mark repeats what a dashed bar shows: not covered. */
function valueText(amount: Week['amount'], isShort: boolean): string {
  const [text = ''] = moneyText(amount).split(' ');
  return `${text.length > LONGEST_VALUE ? '' : text}${isShort ? ' !' : ''}`;
}

/** Bars for amounts of one currency, the largest as tall as there is room: the amounts themselves are never rounded. */
export function heights(amounts: readonly string[], room: number): number[] {
  const digits = Math.max(0, ...amounts.map((amount) => decimalsOf(amount).length));
  const units = amounts.map((amount) => BigInt(wholeOf(amount) + decimalsOf(amount).padEnd(digits, '0')));
  const largest = units.reduce((most, each) => (each > most ? each : most), 0n);
  // A tenth of a drawing unit is finer than the eye can see.
  return units.map((each) => (largest === 0n ? 0 : Number((each * BigInt(room * 10)) / largest) / 10));
}

function wholeOf(amount: string): string {
  return amount.split('.')[0]!;
}

function decimalsOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}
