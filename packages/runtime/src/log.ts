import { processLabels } from './deployment.js';
import { traceIdForLog } from './telemetry/steps.js';
import { destination, pino, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines on stdout. Bodies and credentials are never handed to it; the redaction is the second lock. */
export function createLog(name: string, level: LogLevel, lines: LogLines = stdout()): Log {
  return pino(
    {
      name,
      level,
      mixin: () => ({ ...processLabels, ...traceIdForLog() }),
      formatters: { log: withoutSecrets },
      redact: { paths: ['req.headers'], remove: true },
    },
    lines,
  );
}

interface LogLines {
  write(line: string): void;
  /** Called by pino after a `fatal` line. */
  flushSync(): void;
}

/** How long a line waits for others to be written with. */
const LINGER_MS = 20;
const MAX_CHARACTERS = 16_384;

let shared: LogLines | undefined;

/** Written by this thread: pino's default hands every line to another one, which wakes two threads for each request. */
function stdout(): LogLines {
  if (shared) return shared;
  const to = destination({ dest: 1, sync: true });
  shared = batchedLines((lines) => to.write(lines));
  return shared;
}

/**
 * Batches the lines of a few milliseconds into one write, and flushes them when the process ends by itself. Not by pino's
 * own buffer: its flush is an fsync, for which the database's disk is too busy.
 */
export function batchedLines(write: (lines: string) => void): LogLines {
  let pending = '';
  let timer: NodeJS.Timeout | undefined;
  const flushSync = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = pending;
    pending = '';
    if (lines !== '') write(lines);
  };
  process.once('exit', flushSync);
  return {
    write: (line) => {
      pending += line;
      if (pending.length >= MAX_CHARACTERS) flushSync();
      else timer ??= setTimeout(flushSync, LINGER_MS);
    },
    flushSync,
  };
}

const SECRETS: ReadonlySet<string> = new Set(['authorization', 'token', 'secret', 'password']);

/** pino's own redaction takes longer than the rest of a line where a path begins with a wildcard. */
function withoutSecrets(line: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(line)) {
    if (typeof value !== 'object' || value === null || !Object.keys(value).some((each) => SECRETS.has(each))) continue;
    const kept = Object.entries(value).filter(([each]) => !SECRETS.has(each));
    return withoutSecrets({ ...line, [name]: Object.fromEntries(kept) });
  }
  return line;
}
