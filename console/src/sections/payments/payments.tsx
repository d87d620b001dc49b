import { isCalendarDate, isId } from '@payroll/kernel';
import { Empty, Field, Filters, type Page, RowLink, Select, Table } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import { Amount, Status } from '../../pieces.js';
import type { RouteTable } from '../../routes.js';
import { visit } from '../../visit.js';
import { chosen, dayText, PAYMENT_STATUSES } from '../../words.js';
import { paymentActs } from './acts.js';
import { CSV_ROWS, paymentFile } from './file.js';
import { listPayments, type PaymentFilters, type PaymentRow } from './operations.js';
import { onePayment } from './payment.js';
import { FAILURES } from './words.js';

export const paymentPages: RouteTable = {
  'GET /workspaces/:workspaceId/payments': paymentList,
  'GET /workspaces/:workspaceId/payments/export.csv': async (at) => await paymentFile(at, filtersOf(at)),
  'GET /workspaces/:workspaceId/payments/:id': onePayment,
  ...paymentActs,
};

async function paymentList(at: ConsoleExchange): Promise<Page> {
  const { ask, path } = await visit(at);
  const filters = filtersOf(at);
  const { payments } = await ask(listPayments, { ...filters, limit: 50, cursor: at.query('cursor') ?? null });
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Record<string, string>;
  const body = (
    <>
      <Narrowing filters={filters} path={path} />
      <Table
        caption="Payments, newest first"
        rows={payments.nodes}
        cursor={payments.nextCursor}
        filters={set}
        empty={<NoPayments isNarrowed={Object.keys(set).length > 0} />}
        columns={columns(path)}
      />
      {payments.nodes.length > 0 && (
        <p>
          <a href={`${path}/export.csv?${new URLSearchParams(set).toString()}`}>Download these payments as CSV</a>
          <span class="hint"> (the newest {CSV_ROWS.toLocaleString('en')} at most)</span>
        </p>
      )}
    </>
  );
  return { title: 'Payments', lead: 'Approved work becomes a payment. Only one that says so has been paid.', body };
}

function Narrowing({ filters, path }: { filters: PaymentFilters; path: string }) {
  return (
    <>
      <Filters>
        <Select
          name="status"
          label="Status"
          options={{ '': 'All', ...PAYMENT_STATUSES }}
          value={filters.status ?? ''}
        />
        <Field name="scheduledFrom" label="Due from" type="date" value={filters.scheduledFrom ?? ''} />
        <Field name="scheduledTo" label="Due until" type="date" value={filters.scheduledTo ?? ''} />
        {filters.workerId !== null && <input type="hidden" name="workerId" value={filters.workerId} />}
        {filters.contractId !== null && <input type="hidden" name="contractId" value={filters.contractId} />}
      </Filters>
      {(filters.workerId ?? filters.contractId) !== null && (
        <p>
          Only payments {filters.workerId === null ? 'under one contract' : 'to one worker'} are shown.{' '}
          <a href={path}>Show all payments</a>
        </p>
      )}
    </>
  );
}

function columns(path: string) {
  return {
    Worker: ({ id, contract: { worker, title } }: PaymentRow) => (
      <>
        <RowLink href={`${path}/${id}`} label={worker.name ?? 'Nobody yet'} about={`, ${title}`} />
        <p class="hint">{title}</p>
      </>
    ),
    Amount: ({ netAmount }: PaymentRow) => <Amount of={netAmount} />,
    Status: ({ status, failureReason }: PaymentRow) => (
      <>
        <Status of={status} words={PAYMENT_STATUSES} />
        {failureReason !== null && <p class="hint">{FAILURES[failureReason].short}</p>}
      </>
    ),
    Due: ({ scheduledDate }: PaymentRow) => (scheduledDate === null ? 'At once' : dayText(scheduledDate)),
  };
}

function NoPayments({ isNarrowed }: { isNarrowed: boolean }) {
  return isNarrowed ? (
    <Empty title="No payments here">Nothing fits what you have chosen.</Empty>
  ) : (
    <Empty title="No payments yet">A payment appears here as soon as work is approved.</Empty>
  );
}

/** As the address says; what is no such value narrows nothing. */
function filtersOf(at: ConsoleExchange): PaymentFilters {
  const given = (name: string, is: (text: string) => boolean): string | null => {
    const text = at.query(name);
    return typeof text === 'string' && is(text) ? text : null;
  };
  return {
    status: chosen(at.query('status'), PAYMENT_STATUSES) || null,
    contractId: given('contractId', isId),
    workerId: given('workerId', isId),
    scheduledFrom: given('scheduledFrom', isCalendarDate),
    scheduledTo: given('scheduledTo', isCalendarDate),
  };
}
