import { unavailable, type DomainError, type ErrorCode } from '@payroll/kernel';
import type { Refusal } from '@payroll/process';
import type { ErrorBody, ErrorType } from '@payroll/public-api';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The one place where a code becomes an HTTP status and a type (public-api.md §7). */
export const ERROR_TABLE: Readonly<Record<ErrorCode, { status: number; type: ErrorType }>> = {
  INVALID_CREDENTIAL: { status: 401, type: 'authentication_error' },
  INSUFFICIENT_SCOPE: { status: 403, type: 'permission_error' },
  INTEGRATION_DISABLED: { status: 403, type: 'permission_error' },
  WRITES_DISABLED: { status: 403, type: 'permission_error' },
  RATE_LIMITED: { status: 429, type: 'rate_limit_error' },
  INVALID_REQUEST: { status: 400, type: 'validation_error' },
  VALIDATION_FAILED: { status: 422, type: 'validation_error' },
  PAYLOAD_TOO_LARGE: { status: 413, type: 'validation_error' },
  NOT_FOUND: { status: 404, type: 'not_found' },
  STALE_RESOURCE_VERSION: { status: 409, type: 'conflict' },
  INVALID_STATE: { status: 409, type: 'conflict' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, type: 'conflict' },
  OPERATION_IN_PROGRESS: { status: 409, type: 'conflict' },
  OPERATION_EXPIRED: { status: 409, type: 'conflict' },
  EXTERNAL_REFERENCE_EXISTS: { status: 409, type: 'conflict' },
  INTERNAL_ERROR: { status: 500, type: 'api_error' },
  SERVICE_UNAVAILABLE: { status: 503, type: 'api_error' },
};

/** A failure as `/v1` answers it. The contract has statuses of its own for what HTTP calls 408 and 431. */
export function refusal(error: DomainError, requestId: string, httpStatus?: number): Refusal {
  const told = httpStatus === 408 ? unavailable('The request took too long to arrive, so the service') : error;
  const { body, ...answer } = errorAnswer(told, requestId);
  return { ...answer, type: JSON_TYPE, body: JSON.stringify(body) };
}

/** The one body, and the headers that tell a client what to do next. */
export function errorAnswer(error: DomainError, requestId: string) {
  const { code, message, details = [], retryAfterSeconds } = error;
  const { status, type } = ERROR_TABLE[code];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const wait = retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  if (wait !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(wait)));
  const shown = details.map(({ path, code: what }) => ({ path, code: what }));
  const body: ErrorBody = {
    error: { type, code, message, status, requestId, ...(shown.length > 0 && { details: shown }) },
  };
  return { status, headers, body };
}
