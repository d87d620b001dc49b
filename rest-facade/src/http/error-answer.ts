import type { DomainError } from '@payroll/kernel';
import type { ErrorBody } from '@payroll/public-api';
import { ERROR_TABLE } from './error-table.js';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** A failure as it is answered: the one body, and the headers that tell a client what to do next. */
export function errorAnswer(error: DomainError, requestId: string): ErrorAnswer {
  const { code, message, details, retryAfterSeconds } = error;
  const { status, type } = ERROR_TABLE[code];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const wait = retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  if (wait !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(wait)));
  const shown =
    details && details.length > 0 ? { details: details.map(({ path, code: what }) => ({ path, code: what })) } : {};
  return { status, headers, body: { error: { type, code, message, status, requestId, ...shown } } };
}
