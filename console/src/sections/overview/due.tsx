import { addDays, Money, mondayOf } from '@payroll/kernel';
import { capped } from '@payroll/pages';
import type { VNode } from 'preact';
import { dayText, moneyText } from '../../words.js';
import type { MoneyRead } from './operations.js';

interface DueProps {
  of: Pick<MoneyRead, 'upcoming' | 'balances'>;
  today: string;
  /** The path of the money section. */
  money: string;
}

/** The amounts due this week by currency, whether the balance covers each, and later shortfalls. */
export function Due({ of: { upcoming, balances }, today, money }: DueProps): VNode | null {
  const { weeks, shortfalls } = upcoming;
  if (weeks.length === 0 && shortfalls.length === 0) return null;
  const monday = mondayOf(today);
  const shortBy = (day: string) => shortfalls.filter((each) => each.day <= day);
  const short = new Set(shortBy(addDays(monday, 6)).map(({ missing }) => missing.currency));
  return (
    <>
      <h2>Due this week</h2>
      <ul class="cards tiles">
        {weeks
          .filter(({ week }) => week === monday)
          .map(({ amount, payments }) => (
            <li key={amount.currency} class={short.has(amount.currency) ? 'tile-bad' : undefined}>
              <a href={money}>{amount.currency}</a>
              <p class="figure">{moneyText(amount)}</p>
              <p>
                {capped(payments)} {payments === 1 ? 'payment' : 'payments'}
              </p>
              <p class="hint">
                {short.has(amount.currency) ? 'Not covered' : 'Covered'} by your balance of{' '}
                {moneyText(balanceIn(amount.currency, balances))}
              </p>
            </li>
          ))}
      </ul>
      {!weeks.some(({ week }) => week === monday) && (
        <p>No payment is scheduled until {dayText(addDays(monday, 6))}.</p>
      )}
      {shortfalls.map(({ day, missing }) => (
        <p key={missing.currency} class="short">
          On {dayText(day)} you will be short of {moneyText(missing)}. <a href={`${money}#fund`}>How to add money</a>
        </p>
      ))}
      <p>
        <a href={money}>Balances and all weeks</a>
      </p>
    </>
  );
}

function balanceIn(currency: string, { available }: MoneyRead['balances']) {
  return available.find((each) => each.currency === currency) ?? Money.zero(currency);
}
