import { Table } from '@payroll/pages';
import type { VNode } from 'preact';
import { Amount, Day } from '../../pieces.js';
import { dayText, moneyText } from '../../words.js';
import type { Upcoming } from './operations.js';

/** The next weeks only; the Money section shows all. */
const WEEKS_SHOWN = 3;

/** What leaves soon, each currency for itself, and what there is too little money for. */
export function Due({ of: { weeks, shortfalls }, money }: { of: Upcoming; money: string }): VNode | null {
  if (weeks.length === 0 && shortfalls.length === 0) return null;
  const shown = [...new Set(weeks.map(({ week }) => week))].slice(0, WEEKS_SHOWN);
  return (
    <>
      <h2>What is due</h2>
      {shortfalls.map(({ day, missing }) => (
        <p key={missing.currency}>
          On {dayText(day)} you will be short of {moneyText(missing)}. <a href={`${money}#fund`}>How to add money</a>
        </p>
      ))}
      <Table
        caption="Payments due, by week and currency"
        rows={weeks
          .filter(({ week }) => shown.includes(week))
          .map((each) => ({ ...each, id: `${each.week} ${each.amount.currency}` }))}
        columns={{
          'Week from': ({ week }) => <Day of={week} none="Later" />,
          Amount: ({ amount }) => <Amount of={amount} />,
          Payments: ({ payments }) => payments,
        }}
      />
      <p>
        <a href={money}>Balances and all weeks</a>
      </p>
    </>
  );
}
