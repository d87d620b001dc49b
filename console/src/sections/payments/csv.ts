import { Readable } from 'node:stream';
import { dayOf } from '@payroll/kernel';
import type { FileResponse } from '@payroll/pages';

/**
 * Spreadsheets run a text that begins like this as a formula, which can send other cells to an outside server. Full-width
 * characters count as well, and so does a formula after invisible characters. Where a country writes decimals with commas, a
 * spreadsheet splits a field at each semicolon, and what follows begins a cell.
 */
const BEGINNINGS_OF_FORMULAS = /(^|[;\t\r\n])(?=[\s\p{C}]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** Payments as a file. Without the mark at its beginning, Excel reads UTF-8 as the computer's code page: "MÃ¼ller". */
export function paymentsFile(lines: AsyncIterable<string>): FileResponse {
  return {
    download: `payments-${dayOf(new Date())}.csv`,
    type: 'text/csv; charset=utf-8',
    content: Readable.from(marked(lines)),
  };
}

async function* marked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\ufeff';
  yield* lines;
}

/** A timesheet's days, written as all days of the file. */
export const isoPeriod = (start: string, end: string): string => `${start} to ${end}`;

/** A line of a CSV file (RFC 4180), every field quoted and none a formula. */
export function csvLine(fields: readonly (string | null)[]): string {
  return `${fields.map(quoted).join(',')}\r\n`;
}

function quoted(field: string | null): string {
  return `"${(field ?? '').replaceAll(BEGINNINGS_OF_FORMULAS, "$1'").replaceAll('"', '""')}"`;
}
