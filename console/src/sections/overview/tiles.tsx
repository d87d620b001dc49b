import { capped, MOST_COUNTED } from '@payroll/pages';
import type { VNode } from 'preact';
import { Day } from '../../pieces.js';
import { moneyText } from '../../words.js';
import type { Pile } from './waiting.js';

/** For each pile its count, its amounts and the date of its oldest item. */
export function Tiles({ title, piles, path }: { title: string; piles: readonly Pile[]; path: string }): VNode {
  return (
    <>
      <h2>{title}</h2>
      <ul class="cards tiles">
        {piles.map(({ label, path: below, n, sums, since, reasons }) => (
          <li key={label} class={reasons && 'tile-bad'}>
            <a href={`${path}/${below}`}>{label}</a>
            <p class="figure">{capped(n)}</p>
            {sums.map((sum) => (
              <p key={sum.currency} class="amount">
                {n >= MOST_COUNTED && 'At least '}
                {moneyText(sum)}
              </p>
            ))}
            {reasons && <p>{reasons.join(', ')}</p>}
            {since !== null && (
              <p class="hint">
                The oldest is from <Day of={since.slice(0, 10)} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
