import { notFound } from '@payroll/kernel';
import { type PageResponse, EmptyState, DefinitionList, type PageView, RowLink, Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { Amount, Day, Status } from '../pieces.js';
import type { RouteTable } from '../routes.js';
import { isNothing } from '../sections/payments/words.js';
import { idIn, orUnread, requireWorker } from '../workspace-context.js';
import { dayText, type Money, moneyText, PAYMENT_STATUSES, totalsOf, unitOf, weekdayText } from '../words.js';
import { readWorkTerms } from './operations.js';
import type { ResultOf } from '../operations.js';
import { csvLine, isoPeriod, paymentsFile } from '../sections/payments/csv.js';
import {
  type MyPayment,
  type MyPaymentRow,
  workInFull,
  workOf,
  workText,
  readMyPayment,
  readMyOpenPayments,
  readMyPayments,
  IS_OF_DETAILS,
  nextInWords,
  OBSTACLES,
  ownPaymentStatusText,
} from './my-payment.js';
import { accountText } from './payout-details.js';

const PAYMENTS = '/work/:workspaceId/payments';

/** The payments of a worker in a workspace. */
export const myPaymentPages: RouteTable = {
  [`GET ${PAYMENTS}`]: myPaymentsPage,
  [`GET ${PAYMENTS}/export.csv`]: myPaymentFile,
  [`GET ${PAYMENTS}/:id`]: myPaymentPage,
  [`GET ${PAYMENTS}/:id/advice`]: async (ctx) => {
    const visited = await requireWorker(ctx);
    return paymentAdvice(visited, await myPaymentIn(ctx));
  },
};

async function myPaymentsPage(ctx: ConsoleContext): Promise<PageView> {
  const { path, names } = await requireWorker(ctx);
  const cursor = ctx.query('cursor') || null;
  const [{ myPayments, myContracts }, open] = await Promise.all([
    ctx.run(readMyPayments, { limit: 50, cursor }),
    cursor === null ? ctx.run(readMyOpenPayments, {}) : null,
  ]);
  const titles = new Map(myContracts.map(({ id, title }) => [id, title]));
  const { nodes, nextCursor } = myPayments;
  const work = await workOf(ctx, nodes);
  const scheduled = (open?.myPayments.nodes ?? []).filter(
    (row) => row.status === 'pending' && row.obstacle === null && row.waitsUntil === null,
  );
  const body = (
    <>
      <Scheduled of={scheduled} titles={titles} path={path} isPart={open?.myPayments.nextCursor != null} />
      {scheduled.length > 0 && <h2>All payments</h2>}
      <Table
        caption="Your payments, newest first"
        rows={nodes}
        cursor={nextCursor}
        columns={{
          For: (row) => (
            <>
              <RowLink
                href={`${path}/payments/${row.id}`}
                label={titles.get(row.contractId) ?? 'A contract'}
                about={`, ${moneyText(row.netAmount)}`}
              />{' '}
              <span class="hint">{workText(row, work)}</span>
            </>
          ),
          Status: (row) => (
            <>
              <Status of={row.status} words={PAYMENT_STATUSES} /> <span class="hint">{whenOf(row)}</span>
            </>
          ),
          Amount: ({ netAmount }) => <Amount of={netAmount} />,
        }}
        numbers={['Amount']}
        plain={['Status', 'Amount']}
        empty={
          <EmptyState title="No payments yet">
            A payment appears here as soon as {names.workspace} approves work.
          </EmptyState>
        }
      />
      {nodes.length > 0 && (
        <p>
          <a href={`${path}/payments/export.csv`}>Download your payments as CSV</a>
        </p>
      )}
    </>
  );
  return {
    title: 'Payments',
    lead: `What ${names.workspace} pays you. Only a payment marked as paid has been sent and received.`,
    body,
  };
}

interface ScheduledProps {
  of: readonly MyPaymentRow[];
  /** The titles of the contracts by their ids. */
  titles: ReadonlyMap<string, string>;
  path: string;
  /** Whether there are more of them. */
  isPart: boolean;
}

/** When and how much, by day and contract, the soonest first. */
function Scheduled({ of, titles, path, isPart }: ScheduledProps): VNode | null {
  if (of.length === 0) return null;
  const groups = Map.groupBy(of, (row) => [row.scheduledDate, row.contractId, row.netAmount.currency].join(' '));
  const rows = [...groups].map(([id, all]) => {
    return { ...all[0]!, id, total: totalsOf(all.map(({ netAmount }) => netAmount))[0]! };
  });
  return (
    <section aria-labelledby="scheduled">
      <h2 id="scheduled">Scheduled</h2>
      <Table
        caption="Scheduled, by day and contract"
        rows={rows.toSorted((a, b) => ((a.scheduledDate ?? '') < (b.scheduledDate ?? '') ? -1 : 1))}
        columns={{
          'Pay date': ({ scheduledDate }) => (scheduledDate === null ? 'At once' : weekdayText(scheduledDate)),
          Contract: ({ contractId }) => (
            <a href={`${path}/contracts/${contractId}`}>{titles.get(contractId) ?? 'A contract'}</a>
          ),
          Amount: ({ total }) => <Amount of={total} />,
        }}
        numbers={['Amount']}
        plain={['Amount']}
      />
      {isPart && <p class="hint">Of your newest 100 payments under way. Older ones are in the list below.</p>}
    </section>
  );
}

function whenOf({ obstacle, waitsUntil, status, completedAt, scheduledDate }: MyPaymentRow): string {
  if (obstacle !== null) return OBSTACLES[obstacle];
  if (waitsUntil !== null) return 'Your payout details are on hold';
  if (completedAt !== null) return dayText(completedAt.slice(0, 10));
  if (status !== 'pending') return '';
  return scheduledDate === null ? 'At once' : dayText(scheduledDate);
}

const HEAD = [
  ...['Reference', 'Status', 'Contract', 'Work', 'Approved', 'Net', 'Paid', 'Currency'],
  ...['Pay date', 'Created', 'Paid at', 'Next step'],
];

/** All payments of the worker as CSV, streamed page by page at the speed of the download. */
async function myPaymentFile(ctx: ConsoleContext): Promise<PageResponse> {
  await requireWorker(ctx);
  return paymentsFile(lines(ctx));
}

/** Admission is checked again before each page, so that a slow download stops when the session or access ends. */
async function* lines(ctx: ConsoleContext): AsyncGenerator<string> {
  yield csvLine(HEAD);
  let cursor: string | null = null;
  do {
    const again = ctx.reauthorized();
    const found: ResultOf<typeof readMyPayments> = await again.run(readMyPayments, { limit: 100, cursor });
    const titles = new Map(found.myContracts.map(({ id, title }) => [id, title]));
    const { nodes, nextCursor } = found.myPayments;
    const work = await workOf(again, nodes);
    yield nodes
      .map(({ id, status, contractId, grossAmount, netAmount, paidAmount, ...row }) =>
        csvLine([
          ...[id, PAYMENT_STATUSES[status], titles.get(contractId) ?? null, workText(row, work, isoPeriod)],
          ...[grossAmount.amount, netAmount.amount, paidAmount && paidField(paidAmount, netAmount), netAmount.currency],
          ...[row.scheduledDate, row.createdAt, row.completedAt, row.obstacle && OBSTACLES[row.obstacle]],
        ]),
      )
      .join('');
    cursor = nextCursor;
  } while (cursor !== null);
}

/** With its currency if the provider has paid in another one than the row's. */
function paidField({ amount, currency }: Money, owed: Money): string {
  return currency === owed.currency ? amount : `${amount} ${currency}`;
}

/** @throws DomainError `NOT_FOUND` for a payment that is not the worker's */
async function myPaymentIn(ctx: ConsoleContext) {
  const { myPayment, myContracts } = await ctx.run(readMyPayment, { id: idIn(ctx) });
  if (myPayment === null) throw notFound('The payment');
  const contract = myContracts.find(({ id }) => id === myPayment.contractId);
  const terms = (await orUnread(ctx.run(readWorkTerms, { id: myPayment.contractId })))?.myWorkTerms;
  const work = workInFull(myPayment, await workOf(ctx, [myPayment]), unitOf(terms?.compensationType));
  return { payment: myPayment, work, contract: contract?.title ?? 'A contract' };
}

async function myPaymentPage(ctx: ConsoleContext): Promise<PageView> {
  const { path, names } = await requireWorker(ctx);
  const { payment, work, contract } = await myPaymentIn(ctx);
  const { obstacle, waitsUntil, status } = payment;
  const body = (
    <>
      <p>
        <Status of={status} words={PAYMENT_STATUSES} />
      </p>
      {waitsUntil !== null && (
        <p>
          For your safety nothing is paid to your payout details before <Time at={waitsUntil} />.
          {obstacle === null && ' Then this payment goes on by itself.'}{' '}
          <a href={`${path}/payout-details`}>Open your payout details</a>
        </p>
      )}
      {obstacle !== null && (
        <section aria-labelledby="next">
          <h2 id="next">Next step</h2>
          <p>{nextInWords(obstacle, names.workspace, status === 'failed')}</p>
          {IS_OF_DETAILS[obstacle] && (
            <p>
              <a href={`${path}/payout-details`}>Open your payout details</a>
            </p>
          )}
        </section>
      )}
      <DefinitionList
        of={{
          Business: names.workspace,
          Contract: <a href={`${path}/contracts/${payment.contractId}`}>{contract}</a>,
          For: work,
          'Approved amount': <Amount of={payment.grossAmount} />,
          Deductions: <Deductions of={payment} />,
          'You get': <Amount of={payment.netAmount} />,
          'Pay date': <Day of={payment.scheduledDate} none="At once" />,
          'Sent to': payment.sentBy && accountText(payment.sentBy, payment.sentToEnding ?? ''),
          Paid: payment.completedAt !== null && !isNothing(payment.netAmount) && <Time at={payment.completedAt} />,
          Reference: <code>{payment.id}</code>,
        }}
      />
      {status === 'completed' && (
        <p>
          <a href={`${path}/payments/${payment.id}/advice`}>Payment advice to print</a>
        </p>
      )}
    </>
  );
  return { title: `Payment of ${moneyText(payment.netAmount)}`, lead: ownPaymentStatusText(payment), body };
}

/** To print, of a completed payment alone: any other would look like a proof of payment. */
function paymentAdvice(
  { path, names }: Awaited<ReturnType<typeof requireWorker>>,
  { payment, work, contract }: Awaited<ReturnType<typeof myPaymentIn>>,
): PageView {
  const { id, completedAt, grossAmount, netAmount, paidAmount } = payment;
  const crumbs = [{ label: 'Payment', path: `${path}/payments/${id}` }];
  const title = 'Payment advice';
  if (completedAt === null) {
    return { title, crumbs, lead: 'There is an advice once the payment has been made.', body: <></>, status: 409 };
  }
  const body = (
    <>
      <DefinitionList
        of={{
          'Paid by': names.workspace,
          'Paid to': names.person,
          Contract: contract,
          For: work,
          Day: <Day of={completedAt.slice(0, 10)} />,
          Reference: <code>{id}</code>,
          'Approved amount': <Amount of={grossAmount} />,
          Deductions: <Deductions of={payment} />,
          Net: <Amount of={netAmount} />,
          Paid: paidAmount && <Amount of={paidAmount} />,
        }}
      />
      <p>No tax was calculated. This is neither an invoice nor a tax document.</p>
    </>
  );
  return { title, crumbs, lead: ownPaymentStatusText(payment), body };
}

function Deductions({ of: { deductions } }: { of: Pick<MyPayment, 'deductions'> }): VNode {
  if (deductions.length === 0) return <>None</>;
  return (
    <ul>
      {deductions.map(({ name, amount }, n) => (
        <li key={n}>
          {name}: <Amount of={amount} />
        </li>
      ))}
    </ul>
  );
}
