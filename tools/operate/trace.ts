import { existsSync, readFileSync } from 'node:fs';
import { StartError } from '@payroll/runtime';
import { runCommand } from '../cli.js';
import { readSpans, tracesOf, traceText } from './trace-text.js';
import { TRACES_FILE } from '../local/watch-processes.js';

const USAGE = `Usage: npm run trace -- <id>

Prints what was done because of a request (the X-Request-Id of its answer) or for a payment: every step in every
process. Traces are kept while  MONITORING=1 npm start  runs, in ${TRACES_FILE}.
`;

function show(id: string): void {
  if (!existsSync(TRACES_FILE))
    throw new StartError(`${TRACES_FILE} is not there: traces are kept by  MONITORING=1 npm start`);
  const messages = readFileSync(TRACES_FILE, 'utf8').split('\n').filter(Boolean);
  const traces = tracesOf(messages.flatMap(readSpans), id);
  if (traces.length === 0) throw new StartError(`no trace tells of ${id}; the newest steps take a second to arrive`);
  process.stdout.write(`${traces.map((trace) => traceText(trace)).join('\n\n')}\n`);
}

function readId([id]: readonly string[]): string {
  if (id === undefined || id.startsWith('-')) throw new Error('which request, or which payment? Name one by its id');
  return id;
}

await runCommand('trace', { usage: USAGE, read: readId, run: async (id) => show(id) });
