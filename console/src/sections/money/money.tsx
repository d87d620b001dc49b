import { addDays, Money, mondayOf } from '@payroll/kernel';
import { Copyable, EmptyState, DefinitionList, MAX_COUNTED, type PageView, Table, Tag, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { Amount } from '../../pieces.js';
import { graphql, type ResultOf } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
import { requireMember } from '../../workspace-context.js';
import { today } from '../../deployment.js';
import { dayText, moneyText, weekdayText } from '../../words.js';
import { WeekChart } from './week-chart.js';

const MONEY = '{ amount currency }';

const readMoney = graphql(`
  query money {
    balances { available ${MONEY} pending ${MONEY} asOf owedToWorkers ${MONEY} owedByWorkers ${MONEY} }
    upcoming {
      weeks { week amount ${MONEY} payments }
      days { day amount ${MONEY} payments balanceAfter ${MONEY} }
      shortfalls { day missing ${MONEY} missingInAll ${MONEY} }
    }
    fundingReference
    failed: payments(status: failed, limit: 100) { nodes { failureReason } }
  }`);

type MoneyRead = ResultOf<typeof readMoney>;
type Week = MoneyRead['upcoming']['weeks'][number];
type Day = MoneyRead['upcoming']['days'][number];
type Shortfall = MoneyRead['upcoming']['shortfalls'][number];

export const moneyPages: RouteTable = { 'GET /workspaces/:workspaceId/money': money };

async function money(ctx: ConsoleContext): Promise<PageView> {
  const { run, role, home } = await requireMember(ctx);
  const [{ balances, upcoming, fundingReference, failed }, day] = await Promise.all([run(readMoney, {}), today(ctx)]);
  const notCounted = notCountedText(failed.nodes);
  const hasSandbox = ctx.application.deployment === 'test' && role === 'admin';
  const body = (
    <>
      <Shortfalls of={upcoming.shortfalls} />
      <Balances of={balances} due={upcoming.weeks.filter(({ week }) => week === mondayOf(day))} />
      <Differences of={balances} />
      <section aria-labelledby="upcoming">
        <h2 id="upcoming">Due by week and by day</h2>
        <Weeks {...upcoming} today={day} />
        {notCounted !== null && (
          <p>
            {notCounted} <a href={`${home}/payments?status=failed`}>See what failed</a>
          </p>
        )}
      </section>
      <section aria-labelledby="fund">
        <h2 id="fund">How to add money</h2>
        <p>
          Transfer it from your business’s own bank account, in the currency in which it is needed, and name this
          reference. It tells us that the money is for this workspace.
        </p>
        <DefinitionList of={{ Reference: <Copyable text={fundingReference} /> }} />
        <p class="hint">
          The account to transfer to is in your agreement with us. We book a transfer once it has arrived; then it
          stands above as available.
        </p>
        {hasSandbox && (
          <p>
            <a href={`${home}/sandbox`}>Add test money in the sandbox</a>
          </p>
        )}
      </section>
    </>
  );
  return { title: 'Money', lead: 'What you can spend, what is coming, and what is missing for it.', body };
}

function Shortfalls({ of }: { of: readonly Shortfall[] }): VNode | null {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="short">
      <h2 id="short">Not enough money</h2>
      <ul>
        {of.map(({ day, missing, missingInAll }) => (
          <li key={missing.currency}>
            On {dayText(day)} you will be short of {moneyText(missing)}
            {missing.amount === missingInAll.amount
              ? '.'
              : `, and of ${moneyText(missingInAll)} for all that is due within thirteen weeks.`}
          </li>
        ))}
      </ul>
      <p>Payments that find too little money fail. You can try them again once you have added some.</p>
    </section>
  );
}

const nothingIn = (currency: string): string => Money.zero(currency).amount;

interface BalancesProps {
  of: MoneyRead['balances'];
  /** The amounts due this week. */
  due: readonly Week[];
}

function Balances({ of: { available, pending, asOf }, due }: BalancesProps): VNode {
  const dueIn = new Map(due.map(({ amount }) => [amount.currency, amount.amount]));
  const pendingIn = new Map(pending.map(({ currency, amount }) => [currency, amount]));
  const lacking = [...dueIn.keys()].filter((currency) => available.every((each) => each.currency !== currency));
  const rows = [...available, ...lacking.map((currency) => ({ currency, amount: nothingIn(currency) }))];
  return (
    <section aria-labelledby="balances">
      <h2 id="balances">Balances</h2>
      <Table
        caption="Balances by currency"
        rows={rows.map((each) => ({ ...each, id: each.currency }))}
        empty={<EmptyState title="No money yet">Add some as described below.</EmptyState>}
        columns={{
          Currency: ({ currency }) => currency,
          Available: (available) => <Amount of={available} />,
          'Pending payments': ({ currency }) => (
            <Amount of={{ amount: pendingIn.get(currency) ?? nothingIn(currency), currency }} />
          ),
          'Due this week': ({ currency }) => (
            <Amount of={{ amount: dueIn.get(currency) ?? nothingIn(currency), currency }} />
          ),
        }}
        numbers={['Available', 'Pending payments', 'Due this week']}
      />
      <p class="hint">
        As of <Time at={asOf} />. Payments that are being sent have left the available money already.
      </p>
    </section>
  );
}

/** Not part of the balances: an amount owed to workers is still available until it is paid to them. */
function Differences({ of: { owedToWorkers, owedByWorkers } }: { of: MoneyRead['balances'] }): VNode | null {
  if (owedToWorkers.length + owedByWorkers.length === 0) return null;
  return (
    <section aria-labelledby="differences">
      <h2 id="differences">To settle with workers</h2>
      <ul>
        {owedToWorkers.map((owed) => (
          <li key={owed.currency}>{moneyText(owed)} is still owed to workers.</li>
        ))}
        {owedByWorkers.map((owed) => (
          <li key={owed.currency}>Workers got {moneyText(owed)} too much.</li>
        ))}
      </ul>
      <p>
        The payment provider has paid another amount than was ordered. Settle it with the worker yourself, and tell us:
        it stands here until two people of our finance team have noted that. Your balances stay as they are.
      </p>
    </section>
  );
}

/** How many weeks are drawn, including those in which nothing is due. */
const WEEKS_DRAWN = 8;

interface WeeksProps {
  weeks: readonly Week[];
  days: readonly Day[];
  shortfalls: readonly Shortfall[];
  today: string;
}

function Weeks({ weeks, days, shortfalls, today }: WeeksProps): VNode {
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
            <WeekChart currency={currency} shortfall={shortfall} weeks={drawn(inIt, currency, today)} />
          </figure>
        );
      })}
      {days.length > 0 && (
        <Table
          caption="Due by day and currency"
          rows={days.map((each) => ({ ...each, id: `${each.day} ${each.amount.currency}` }))}
          columns={{
            Day: ({ day }) => weekdayText(day),
            Payments: ({ payments }) => payments,
            Amount: ({ amount }) => <Amount of={amount} />,
            'Balance after it': ({ balanceAfter }) => <Amount of={balanceAfter} />,
            Covered: ({ balanceAfter }) => <Covered by={balanceAfter} />,
          }}
          numbers={['Amount', 'Payments', 'Balance after it']}
          plain={['Amount']}
        />
      )}
      {weeks
        .filter(({ week }) => week === null)
        .map(({ amount }) => (
          <p key={amount.currency}>Later than thirteen weeks from now: {moneyText(amount)}.</p>
        ))}
      <p class="hint">Today includes overdue payments and payments that failed for lack of funds.</p>
    </>
  );
}

/** In words: whether the balance as it is now is enough for all that is due up to a day. */
function Covered({ by: { amount, currency } }: { by: Day['balanceAfter'] }): VNode {
  if (!amount.startsWith('-')) return <Tag look="good">Covered</Tag>;
  return <Tag look="bad">Short of {moneyText({ amount: amount.slice(1), currency })}</Tag>;
}

/**
 * Payments that failed for lack of funds count as due, the others are owed all the same.
 * @param failed the newest, at most a hundred
 */
export function notCountedText(failed: readonly { failureReason: string | null }[]): string | null {
  const others = failed.filter(({ failureReason }) => failureReason !== 'insufficient_funds').length;
  // Older ones than those that were read may have failed for either reason.
  if (failed.length >= MAX_COUNTED)
    return 'Payments that failed for another reason are not included. They are still owed.';
  if (others === 0) return null;
  const [payments, are, they] = others === 1 ? ['payment', 'is', 'It is'] : ['payments', 'are', 'They are'];
  return `${others} ${payments} that failed for another reason ${are} not included. ${they} still owed.`;
}

function drawn(weeks: readonly Week[], currency: string, today: string): (Week & { week: string })[] {
  const first = mondayOf(today);
  return Array.from({ length: WEEKS_DRAWN }, (_, n) => {
    const week = addDays(first, 7 * n);
    const known = weeks.find((each) => each.week === week);
    return { amount: { amount: '0', currency }, payments: 0, ...known, week };
  });
}
