// Approves and rejects timesheets as a person's spreadsheet says. The key needs `read` and `timesheets:write`, of an admin:
//   node review-by-csv.mjs list > review.csv                   then fill in "decision" (approve or reject) and "reason"
//   node review-by-csv.mjs decide review.csv > results.csv     as often as you like: each decision is carried out once
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { ApiError, Payroll } from '@payroll/sdk';

const payroll = new Payroll({ baseUrl: process.env.URL, key: process.env.API_KEY });
const [, , verb, file] = process.argv;

/** A spreadsheet runs what begins like a formula: an apostrophe before it keeps it text. */
const asText = (value) => String(value ?? '').replace(/^(?=[\s\p{C}]*[=+@＝＋－＠-])/u, "'");
const cell = (value) => `"${asText(value).replaceAll('"', '""')}"`;
const line = (...values) => console.log(values.map(cell).join(','));

async function list() {
  line('id', 'version', 'worker', 'from', 'to', 'units', 'total', 'decision', 'reason');
  for await (const { id, version, contractId, ...sheet } of payroll.timesheets({ status: 'submitted' })) {
    const { worker } = await payroll.getContract(contractId);
    const total = `${sheet.total.amount} ${sheet.total.currency}`;
    line(id, version, worker.name, sheet.periodStart, sheet.periodEnd, sheet.unitsWorked, total, '', '');
  }
}

/** The same decision about the same version of the same work is the same operation, whoever sends the file, and when. */
function operationOf({ id, version, decision, reason }) {
  return createHash('sha256')
    .update(JSON.stringify([id, version, decision, reason]))
    .digest('hex');
}

async function carryOut(row) {
  const writing = { operation: operationOf(row) };
  if (row.decision === 'approve') return await payroll.approveTimesheet(row, writing);
  if (row.decision === 'reject') return await payroll.rejectTimesheet(row, row.reason, writing);
  throw new TypeError(`"decision" is approve or reject, and not ${row.decision}`);
}

async function decide() {
  line('id', 'decision', 'outcome', 'paymentId');
  const text = readFileSync(file, 'utf8');
  // Where a comma is the decimal sign, a spreadsheet writes semicolons.
  const delimiter = text.slice(0, text.indexOf('\n')).includes(';') ? ';' : ',';
  for (const read of parse(text, { columns: true, bom: true, trim: true, delimiter })) {
    if (read.decision === '') continue;
    const row = { ...read, decision: read.decision.toLowerCase(), version: read.version.replace(/^'/, '') };
    try {
      const { status, paymentId } = await carryOut(row);
      line(row.id, row.decision, status, paymentId);
    } catch (error) {
      // After one of 500 and more, and without an answer, it may have been done: run it again.
      const isRefused = error instanceof TypeError || (error instanceof ApiError && error.status < 500);
      line(row.id, row.decision, `${isRefused ? 'not done' : 'unknown'}: ${error.message}`, '');
      process.exitCode = 1;
    }
  }
}

if (verb === 'list') await list();
else if (verb === 'decide' && file !== undefined) await decide();
else {
  console.error('usage: node review-by-csv.mjs list | decide <file>');
  process.exitCode = 2;
}
