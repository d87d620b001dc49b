import { isCalendarDate, isId } from '@payroll/kernel';
import { EmptyState, Field, Filters, Marks, type PageView, queryOf, Select, RowLink, Table } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import type { RouteTable } from '../../routes.js';
import { orUnread, pageIn, validIn, requireMember, type WorkspaceContext } from '../../workspace-context.js';
import { chosen, dayText, moneyText, PAYMENT_STATUSES } from '../../words.js';
import type { ResultOf, VariablesOf } from '../../operations.js';
import { paymentActs } from './actions.js';
import { listPaidWork, listPayments, type PaymentFilters, type PaymentRow } from './operations.js';
import { onePayment } from './payment.js';
import { csvLine, isoPeriod, paymentsFile } from './csv.js';
import { FAILURES, workText } from './words.js';
import { Day, Status, WorkerLink } from '../../pieces.js';

export const paymentPages: RouteTable = {
  'GET /workspaces/:workspaceId/payments': paymentList,
  'GET /workspaces/:workspaceId/payments/export.csv': async (ctx) =>
    paymentsFile(lines(ctx, await requireMember(ctx), filtersOf(ctx))),
  'GET /workspaces/:workspaceId/payments/:id': onePayment,
  ...paymentActs,
};

async function paymentList(ctx: ConsoleContext): Promise<PageView> {
  const { run, path, home } = await requireMember(ctx);
  const filters = filtersOf(ctx);
  const { order, kept, ...page } = pageIn(ctx);
  const { payments } = await run(listPayments, { ...filters, ...page, limit: 50 });
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Record<string, string>;
  const { nodes, nextCursor } = payments;
  const body = (
    <>
      <Filters kept={{ workerId: filters.workerId, contractId: filters.contractId, ...kept }}>
        <Select
          name="status"
          label="Status"
          options={{ '': 'All', ...PAYMENT_STATUSES }}
          value={filters.status ?? ''}
        />
        <Field name="scheduledFrom" label="Pay date from" type="date" value={filters.scheduledFrom ?? ''} />
        <Field name="scheduledTo" label="Pay date until" type="date" value={filters.scheduledTo ?? ''} />
      </Filters>
      <Marks given={{ ...set, order }} words={MARKS} rows={nodes} isMore={nextCursor !== null} />
      <PaymentTable
        caption="Payments"
        sorted="Created"
        rows={nodes}
        cursor={nextCursor}
        filters={{ ...set, order }}
        empty={<NoPayments isNarrowed={Object.keys(set).length > 0} review={`${home}/review`} />}
        home={home}
      />
      {nodes.length > 0 && (
        <p>
          <a href={`${path}/export.csv${queryOf(set)}`}>Download these payments as CSV</a>
          <span class="hint"> (the newest {CSV_ROWS.toLocaleString('en')} at most)</span>
        </p>
      )}
    </>
  );
  return { title: 'Payments', lead: 'Approved work becomes a payment. Only one that says so has been paid.', body };
}

const MARKS = {
  status: (value: string) => PAYMENT_STATUSES[value as keyof typeof PAYMENT_STATUSES],
  scheduledFrom: (value: string) => `Pay date from ${dayText(value)}`,
  scheduledTo: (value: string) => `Pay date until ${dayText(value)}`,
  workerId: () => 'One worker',
  contractId: () => 'One contract',
};

function NoPayments({ isNarrowed, review }: { isNarrowed: boolean; review: string }) {
  return isNarrowed ? (
    <EmptyState title="No payments here">
      Nothing fits what you have chosen. <a href="?">Show all payments</a>
    </EmptyState>
  ) : (
    <EmptyState title="No payments yet">
      A payment appears here as soon as work is approved. <a href={review}>Review what waits</a>
    </EmptyState>
  );
}

interface PaymentTableProps {
  caption: string;
  rows: readonly PaymentRow[];
  home: string;
  cursor?: string | null;
  filters?: Readonly<Record<string, string>>;
  sorted?: 'Created';
  empty?: VNode;
}

export function PaymentTable({ home, ...table }: PaymentTableProps): VNode {
  return (
    <Table
      {...table}
      columns={{
        Worker: ({ contract: { worker, title } }) => (
          <>
            <WorkerLink of={worker} home={home} />
            <p class="hint">{title}</p>
          </>
        ),
        Status: ({ status, failureReason, autoPayEnabled }) => (
          <>
            <Status of={status} words={PAYMENT_STATUSES} />{' '}
            {failureReason !== null && <span class="hint">{FAILURES[failureReason].short}</span>}
            {status === 'pending' && !autoPayEnabled && <span class="hint">An admin starts it</span>}
          </>
        ),
        'Pay date': ({ scheduledDate }) => <Day of={scheduledDate} none="At once" />,
        Created: ({ createdAt }) => <Day of={createdAt.slice(0, 10)} />,
        Amount: ({ id, netAmount, contract: { title } }) => (
          <RowLink href={`${home}/payments/${id}`} label={moneyText(netAmount)} about={`for ${title}`} />
        ),
      }}
      numbers={['Amount']}
      plain={['Status', 'Amount']}
    />
  );
}

/** The filters in the address; invalid values are ignored. */
function filtersOf(ctx: ConsoleContext): PaymentFilters {
  return {
    status: chosen(ctx.query('status'), PAYMENT_STATUSES) || null,
    contractId: validIn(ctx, 'contractId', isId),
    workerId: validIn(ctx, 'workerId', isId),
    scheduledFrom: validIn(ctx, 'scheduledFrom', isCalendarDate),
    scheduledTo: validIn(ctx, 'scheduledTo', isCalendarDate),
  };
}

/** More rows make a spreadsheet slow. */
const CSV_ROWS = 10_000;

const PAGE = 100;
const ORDER = { oldestFirst: false };

const HEAD = [
  ...['Payment', 'Status', 'Worker', 'Contract', 'Work', 'Gross', 'Net', 'Currency'],
  ...['Due', 'Created', 'Completed', 'Why it failed', 'Timesheet', 'Milestone'],
];

/**
 * The filtered payments as CSV, streamed page by page at the speed of the download. Admission is checked again before each page,
 * so that a slow download stops when the session or role ends.
 */
async function* lines(ctx: ConsoleContext, first: WorkspaceContext, filters: PaymentFilters): AsyncGenerator<string> {
  yield csvLine(HEAD);
  let [cursor, left, { run }]: [string | null, number, WorkspaceContext] = [null, CSV_ROWS, first];
  do {
    const page: VariablesOf<typeof listPayments> = { ...filters, ...ORDER, limit: PAGE, cursor };
    const { payments }: ResultOf<typeof listPaidWork> | ResultOf<typeof listPayments> =
      (await orUnread(run(listPaidWork, page))) ?? (await run(listPayments, page));
    yield payments.nodes.map((payment) => csvLine(fieldsOf(payment))).join('');
    cursor = payments.nextCursor;
    left -= PAGE;
    if (cursor !== null && left > 0) ({ run } = await requireMember(ctx.reauthorized()));
  } while (cursor !== null && left > 0);
  if (cursor !== null) {
    yield csvLine([`Only the newest ${CSV_ROWS} payments are in this file. Choose fewer to get the others.`]);
  }
}

type FileRow = PaymentRow & Omit<Parameters<typeof workText>[0], 'timesheetId'>;

function fieldsOf({ id, status, grossAmount, netAmount, contract, ...payment }: FileRow): (string | null)[] {
  const why = payment.failureReason === null ? null : FAILURES[payment.failureReason].short;
  return [
    ...[id, status, contract.worker.name, contract.title, workText(payment, isoPeriod)],
    ...[grossAmount.amount, netAmount.amount, netAmount.currency],
    ...[payment.scheduledDate, payment.createdAt, payment.completedAt, why],
    ...[payment.timesheetId, payment.milestoneId],
  ];
}
