import { Readable } from 'node:stream';
import { instantOf } from '@payroll/kernel';
import type { Answer } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import { visit, type Visit } from '../../visit.js';
import { csvLine } from './csv.js';
import type { ResultOf } from '../../operations.js';
import { listPayments, type PaymentFilters, type PaymentRow } from './operations.js';
import { FAILURES } from './words.js';

/** More rows make a spreadsheet slow. */
export const CSV_ROWS = 10_000;

const PAGE = 100;
const ORDER = { oldestFirst: false };

const HEAD = [
  ...['Payment', 'Status', 'Worker', 'Contract', 'Gross', 'Net', 'Currency'],
  ...['Due', 'Created', 'Completed', 'Why it failed'],
];

/** The filtered payments as CSV, streamed page by page at the speed of the download. */
export async function paymentFile(at: ConsoleExchange, filters: PaymentFilters): Promise<Answer> {
  const first = await visit(at);
  const name = `payments-${instantOf(new Date()).slice(0, 10)}.csv`;
  return { download: name, type: 'text/csv; charset=utf-8', content: Readable.from(lines(at, first, filters)) };
}

/** Admission is checked again before each page, so that a slow download stops when the session or role ends. */
async function* lines(at: ConsoleExchange, first: Visit, filters: PaymentFilters): AsyncGenerator<string> {
  yield csvLine(HEAD);
  let [cursor, left, { ask }]: [string | null, number, Visit] = [null, CSV_ROWS, first];
  do {
    const { payments }: ResultOf<typeof listPayments> = await ask(listPayments, {
      ...filters,
      ...ORDER,
      limit: PAGE,
      cursor,
    });
    yield payments.nodes.map((payment) => csvLine(fieldsOf(payment))).join('');
    cursor = payments.nextCursor;
    left -= PAGE;
    if (cursor !== null && left > 0) ({ ask } = await visit(at.anew()));
  } while (cursor !== null && left > 0);
  if (cursor !== null) {
    yield csvLine([`Only the newest ${CSV_ROWS} payments are in this file. Choose fewer to get the others.`]);
  }
}

function fieldsOf({ id, status, grossAmount, netAmount, contract, ...payment }: PaymentRow): (string | null)[] {
  const why = payment.failureReason === null ? null : FAILURES[payment.failureReason].short;
  return [
    ...[id, status, contract.worker.name, contract.title],
    ...[grossAmount.amount, netAmount.amount, netAmount.currency],
    ...[payment.scheduledDate, payment.createdAt, payment.completedAt, why],
  ];
}
