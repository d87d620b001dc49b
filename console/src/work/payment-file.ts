import { Readable } from 'node:stream';
import { instantOf } from '@payroll/kernel';
import type { Answer } from '@payroll/pages';
import type { ConsoleExchange } from '../exchange.js';
import type { ResultOf } from '../operations.js';
import { csvLine } from '../sections/payments/csv.js';
import { PAYMENT_STATUSES } from '../words.js';
import { readMyPayments } from './payment-operations.js';
import { OBSTACLES } from './payment-words.js';
import { workVisit } from './visit.js';

const HEAD = [
  ...['Reference', 'Status', 'Contract', 'Approved', 'Net', 'Paid', 'Currency'],
  ...['Pay date', 'Created', 'Paid at', 'Next step'],
];

/** All payments of the worker as CSV, streamed page by page at the speed of the download. */
export async function myPaymentFile(at: ConsoleExchange): Promise<Answer> {
  await workVisit(at);
  const name = `payments-${instantOf(new Date()).slice(0, 10)}.csv`;
  return { download: name, type: 'text/csv; charset=utf-8', content: Readable.from(lines(at)) };
}

/** Admission is checked again before each page, so that a slow download stops when the session or access ends. */
async function* lines(at: ConsoleExchange): AsyncGenerator<string> {
  yield csvLine(HEAD);
  let cursor: string | null = null;
  do {
    const found: ResultOf<typeof readMyPayments> = await at.anew().run(readMyPayments, { limit: 100, cursor });
    const titles = new Map(found.myContracts.map(({ id, title }) => [id, title]));
    const { nodes, nextCursor } = found.myPayments;
    yield nodes
      .map(({ id, status, contractId, grossAmount, netAmount, paidAmount, ...row }) =>
        csvLine([
          ...[id, PAYMENT_STATUSES[status], titles.get(contractId) ?? null],
          ...[grossAmount.amount, netAmount.amount, paidAmount?.amount ?? null, netAmount.currency],
          ...[row.scheduledDate, row.createdAt, row.completedAt, row.obstacle && OBSTACLES[row.obstacle]],
        ]),
      )
      .join('');
    cursor = nextCursor;
  } while (cursor !== null);
}
