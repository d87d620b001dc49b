import { addDays } from '@payroll/kernel';
import type { VNode } from 'preact';
import { type Money, moneyText } from '../../words.js';

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
  weeks: readonly { week: string; amount: Money; payments: number }[];
  shortfall: { day: string } | undefined;
}

/** The amounts due by week in one currency. The table below has them by day, for people who cannot see the chart too. */
export function WeekChart({ currency, weeks, shortfall }: WeekChartProps): VNode {
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
      aria-label={`Due by week in ${currency}; the table below has the days`}
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
function valueText(amount: Money, isShort: boolean): string {
  const [text = ''] = moneyText(amount).split(' ');
  return `${text.length > LONGEST_VALUE ? '' : text}${isShort ? ' !' : ''}`;
}

/** Bars for amounts of one currency, the largest as tall as there is room, to a tenth of a drawing unit: finer than the eye can see. */
export function heights(amounts: readonly string[], room: number): number[] {
  const numbers = amounts.map(Number);
  const largest = Math.max(...numbers);
  return numbers.map((each) => (largest === 0 ? 0 : Math.round((each / largest) * room * 10) / 10));
}
