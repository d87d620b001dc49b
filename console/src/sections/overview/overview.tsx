import { addDays, mondayOf, Money, type Role, withArticle } from '@payroll/kernel';
import { capped, EmptyState, MAX_COUNTED, type PageView } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../deployment.js';
import type { ConsoleContext } from '../../console-context.js';
import type { ResultOf } from '../../operations.js';
import type { RouteTable } from '../../routes.js';
import { orUnread, requireMember, type WorkspaceContext } from '../../workspace-context.js';
import { Day } from '../../pieces.js';
import { dayText, KYB_MEANINGS, moneyText } from '../../words.js';
import { readNewest } from '../activity/trails.js';
import { readSubjects } from '../activity/subjects.js';
import { Timeline } from '../activity/timeline.js';
import {
  countContracts,
  countWork,
  type MoneyRead,
  readMoney,
  readVerification,
  type Pile,
  pilesOfContracts,
  pilesOfPayments,
  pilesOfWork,
} from './waiting.js';

export const overviewPages: RouteTable = {
  'GET /workspaces/:workspaceId': overviewPage,
};

const NEWEST = 10;

async function overviewPage(ctx: ConsoleContext): Promise<PageView> {
  const here = await requireMember(ctx);
  const { run, path, role } = here;
  const dueBy = today(ctx);
  const [verification, money, work, contracts, done, day] = await Promise.all([
    orUnread(run(readVerification, {})),
    orUnread(dueBy.then((day) => run(readMoney, { today: day }))),
    orUnread(run(countWork, {})),
    orUnread(run(countContracts, {})),
    orUnread(newest(here)),
    dueBy,
  ]);
  const piles = [
    ...(money ? pilesOfPayments(money, day) : []),
    ...(work ? pilesOfWork(work) : []),
    ...(contracts ? pilesOfContracts(contracts) : []),
  ].filter(({ n }) => n > 0);
  const own = piles.filter(({ needs }) => needs.includes(role));
  const others = piles.filter(({ needs }) => !needs.includes(role));
  const unpaid = beforeFirstPayment(role, contracts, money);
  const hasSandbox = ctx.application.deployment === 'test' && role === 'admin';
  const body = (
    <>
      {[verification, money, work, contracts, done].some((read) => read === null) && (
        <p class="notice" role="status">
          Not all of it can be read at the moment. Open this page again in a minute.
        </p>
      )}
      <Unverified of={verification} sandbox={hasSandbox && `${path}/sandbox`} />
      {role !== 'viewer' && <Shortcuts path={path} role={role} />}
      {own.length > 0 ? (
        <Tiles title="Needs you now" piles={own} path={path} />
      ) : (
        !unpaid && <EmptyState title="Nothing needs you now">Tasks for you will appear here.</EmptyState>
      )}
      {unpaid && <FirstSteps of={unpaid} path={path} />}
      {money && <Due of={money} today={day} money={`${path}/money`} />}
      {others.length > 0 && <Tiles title="Waiting for others" piles={others} path={path} />}
      {done && <Latest {...done} home={path} />}
      <Foot {...here} hasSandbox={hasSandbox} />
    </>
  );
  return { title: 'Overview', body };
}

interface UnverifiedProps {
  of: ResultOf<typeof readVerification> | null;
  /** The page on which testers play our staff. */
  sandbox: string | false;
}

function Unverified({ of: read, sandbox }: UnverifiedProps): VNode | null {
  const status = read?.business.kybStatus ?? 'verified';
  if (status === 'verified') return null;
  return (
    <p class="notice notice-wait">
      {KYB_MEANINGS[status]} {sandbox && <a href={sandbox}>Verify it in the sandbox</a>}
    </p>
  );
}

function Shortcuts({ path, role }: Pick<WorkspaceContext, 'path' | 'role'>): VNode {
  return (
    <p class="actions">
      <a href={`${path}/contracts/new`}>New contract</a>
      <a href={`${path}/workers/new`}>Add a worker</a>
      {role === 'admin' && <a href={`${path}/keys`}>API keys</a>}
    </p>
  );
}

/** For each pile its count, its amounts and the date of its oldest item. */
function Tiles({ title, piles, path }: { title: string; piles: readonly Pile[]; path: string }): VNode {
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
                {n >= MAX_COUNTED && 'At least '}
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

interface Known {
  contracts: Record<'workers' | 'active', { nodes: readonly unknown[] }>;
  money: MoneyRead;
}

function beforeFirstPayment(role: Role, contracts: Known['contracts'] | null, money: MoneyRead | null): Known | null {
  return role !== 'viewer' && contracts && money?.any.nodes.length === 0 ? { contracts, money } : null;
}

/** The steps to the first payment. */
function FirstSteps({ of: { contracts, money }, path }: { of: Known; path: string }): VNode {
  const steps = [
    { label: 'Add a worker', to: 'workers/new', isDone: contracts.workers.nodes.length > 0 },
    {
      label: 'Draft a contract, and have both sides sign it',
      to: 'contracts/new',
      isDone: contracts.active.nodes.length > 0,
    },
    { label: 'Add money', to: 'money#fund', isDone: money.balances.available.length > 0 },
    { label: 'Approve the first work', to: 'review', isDone: false },
  ];
  return (
    <>
      <h2>First steps</h2>
      <ol class="steps">
        {steps.map(({ label, to, isDone }) => (
          <li key={to} class={isDone ? 'step-done' : undefined}>
            {isDone ? `${label}: done` : <a href={`${path}/${to}`}>{label}</a>}
          </li>
        ))}
      </ol>
    </>
  );
}

interface DueProps {
  of: Pick<MoneyRead, 'upcoming' | 'balances'>;
  today: string;
  /** The path of the money section. */
  money: string;
}

/** The amounts due this week by currency, whether the balance covers each, and later shortfalls. */
function Due({ of: { upcoming, balances }, today, money }: DueProps): VNode | null {
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

function Foot({
  path,
  names,
  role,
  hasSandbox,
}: Pick<WorkspaceContext, 'path' | 'names' | 'role'> & { hasSandbox: boolean }) {
  return (
    <>
      {hasSandbox && (
        <p>
          This is a test deployment: in the <a href={`${path}/sandbox`}>sandbox</a> you play the worker, the bank and
          everybody else outside.
        </p>
      )}
      <p>
        You are {names.person}, {withArticle(role)} here.{' '}
        <a href={`${path}/membership`}>What that means, and how to leave</a>
      </p>
    </>
  );
}

async function newest(here: WorkspaceContext) {
  const { entries } = await readNewest(here, NEWEST);
  return { entries, subjects: await readSubjects(here, entries) };
}

function Latest({ entries, ...rest }: Omit<Parameters<typeof Timeline>[0], 'isOfOneThing'>): VNode | null {
  if (entries.length === 0) return null;
  return (
    <>
      <h2>Latest activity</h2>
      <Timeline entries={entries} {...rest} />
      <p>
        <a href={`${rest.home}/activity`}>All activity</a>
      </p>
    </>
  );
}
