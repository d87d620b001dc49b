import { pino, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

let more: () => object = () => ({});

/** Adds what is known where a line is written, such as the trace it belongs to. */
export function addToEveryLine(read: () => object): void {
  more = read;
}

/** Of the line about an answer: whoever looks for failures finds those of ours, and not what callers did wrong. */
export function levelOfAnswer(status: number): 'info' | 'error' {
  return status >= 500 ? 'error' : 'info';
}

/** JSON lines on stdout. Bodies and credentials are never handed to it; the redaction is the second lock. */
export function createLog(name: string, level: LogLevel): Log {
  return pino({
    name,
    level,
    mixin: () => more(),
    redact: { paths: ['*.authorization', '*.token', '*.secret', '*.password', 'req.headers'], remove: true },
  });
}
