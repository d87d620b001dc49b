import { traceIdForLog } from '@payroll/telemetry';
import { pino, type Logger } from 'pino';

export type Log = Logger;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines on stdout. Bodies and credentials are never handed to it; the redaction is the second lock. */
export function createLog(name: string, level: LogLevel): Log {
  return pino({
    name,
    level,
    mixin: traceIdForLog,
    redact: { paths: ['*.authorization', '*.token', '*.secret', '*.password', 'req.headers'], remove: true },
  });
}
