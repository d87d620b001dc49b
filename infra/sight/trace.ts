import { existsSync, readFileSync } from 'node:fs';
import { readSpans } from './spans.js';
import { TRACES_FILE } from './traces-file.js';
import { traceText, tracesOf } from './trace-text.js';

const USAGE = `Usage: npm run trace -- <id>

Prints what was done because of a request (the X-Request-Id of its answer) or for a payment: every step in every
process. Traces are kept while  SIGHT=1 npm start  runs, in ${TRACES_FILE}.
`;

function main([id]: readonly string[]): number {
  if (id === undefined || id.startsWith('-')) {
    process.stdout.write(USAGE);
    return id === undefined ? 1 : 0;
  }
  if (!existsSync(TRACES_FILE)) {
    process.stderr.write(`${TRACES_FILE} is not there: traces are kept by  SIGHT=1 npm start\n`);
    return 1;
  }
  const messages = readFileSync(TRACES_FILE, 'utf8').split('\n').filter(Boolean);
  const traces = tracesOf(messages.flatMap(readSpans), id);
  if (traces.length === 0) {
    process.stderr.write(`no trace tells of ${id}; the newest steps take a second to arrive\n`);
    return 1;
  }
  process.stdout.write(`${traces.map((trace) => traceText(trace)).join('\n\n')}\n`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));
