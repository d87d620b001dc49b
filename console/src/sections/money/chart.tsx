import type { VNode } from 'preact';
import { heights } from './heights.js';
import type { Week } from './operations.js';

const HEIGHT = 120;
const STEP = 40;

/** What is due by week in one currency. The table beside it says the same: whoever cannot see this misses nothing. */
export function WeekChart({
  currency,
  weeks,
}: {
  currency: string;
  weeks: readonly (Week & { label: string })[];
}): VNode {
  const tall = heights(
    weeks.map(({ amount }) => amount.amount),
    HEIGHT,
  );
  const [width, height] = [weeks.length * STEP, HEIGHT + 20];
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Due by week in ${currency}; the table below has the numbers`}
    >
      {weeks.map(({ label, amount }, n) => (
        <g key={label}>
          <rect x={n * STEP + 6} y={HEIGHT - tall[n]!} width={STEP - 12} height={tall[n]} rx="3">
            <title>{`${label}: ${amount.amount} ${amount.currency}`}</title>
          </rect>
          <text x={n * STEP + STEP / 2} y={HEIGHT + 15} text-anchor="middle">
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}
