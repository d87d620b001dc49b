import { unavailable, type DomainError, type ErrorCode, type ErrorDetail } from '@payroll/kernel';
import type { ErrorResponse } from '@payroll/runtime';
import type { ErrorBody, ErrorType } from '@payroll/public-api';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The statuses that public-api.md §7 declares for every operation, as the document names them. */
export const ERROR_STATUSES = {
  400: {
    name: 'BadRequest',
    type: 'validation_error',
    description: 'Path, query, headers or the JSON itself cannot be read.',
  },
  401: {
    name: 'Unauthorized',
    type: 'authentication_error',
    description: 'Check the credential, its expiry and its environment.',
  },
  403: {
    name: 'Forbidden',
    type: 'permission_error',
    description: 'Check the scopes, the current role and what is enabled for the workspace.',
  },
  404: { name: 'NotFound', type: 'not_found', description: 'Nothing of this workspace has this id.' },
  409: {
    name: 'Conflict',
    type: 'conflict',
    description: 'The request clashes with what is there. Look before any retry.',
  },
  413: { name: 'PayloadTooLarge', type: 'validation_error', description: 'The body has more than 1 MiB.' },
  422: {
    name: 'UnprocessableContent',
    type: 'validation_error',
    description: 'The body does not fit. `details` names every guilty path, `message` says what would fit.',
  },
  429: {
    name: 'TooManyRequests',
    type: 'rate_limit_error',
    description: 'A rate limit is used up. Wait as long as `Retry-After` says.',
  },
  500: {
    name: 'InternalServerError',
    type: 'api_error',
    description: 'Something went wrong on our side. Tell support the `requestId`.',
  },
  503: {
    name: 'ServiceUnavailable',
    type: 'api_error',
    description:
      'A part that the answer needs is away. Retry with backoff. What was asked is unknown, and not nothing.',
  },
} as const satisfies Record<number, { name: string; type: ErrorType; description: string }>;
export type ErrorStatus = keyof typeof ERROR_STATUSES;

interface ErrorEntry {
  status: ErrorStatus;
  /** What to do next (public-api.md §7). */
  next: string;
  /** An example. */
  message: string;
  details?: readonly ErrorDetail[];
}

/** The one place where a code becomes an HTTP status (public-api.md §7), and what the document says of it. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorEntry>> = {
  INVALID_REQUEST: {
    status: 400,
    next: 'Correct what `details` names',
    message: 'The request is not valid: limit must be a whole number from 1 to 100.',
    details: [{ path: 'limit', code: 'out_of_range' }],
  },
  INVALID_CREDENTIAL: {
    status: 401,
    next: 'Check credential, expiry and environment',
    message: 'The API key is wrong, expired or revoked.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    next: 'Check grant and current membership role',
    message: 'This needs the scope timesheets:write and a role that allows it.',
  },
  INTEGRATION_DISABLED: {
    status: 403,
    next: 'Have the API enabled for the workspace',
    message: 'The public API is not enabled for this workspace.',
  },
  WRITES_DISABLED: {
    status: 403,
    next: 'Have writes enabled for the workspace',
    message: 'Writes are not enabled for this workspace.',
  },
  NOT_FOUND: {
    status: 404,
    next: 'Check the id and the workspace',
    message: 'The timesheet was not found in this workspace.',
  },
  STALE_RESOURCE_VERSION: {
    status: 409,
    next: 'Fetch and review again, then use a new idempotency key',
    message: 'This has changed since you reviewed it. Fetch and review it again.',
  },
  INVALID_STATE: {
    status: 409,
    next: 'Fetch it: it is not, or no longer, submitted',
    message: 'The timesheet is approved: it cannot be rejected.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    next: 'Send the original request, or use a new key',
    message: 'This Idempotency-Key was used for another request. Use a new one.',
  },
  OPERATION_IN_PROGRESS: {
    status: 409,
    next: 'Your request has waited for the first one with its key: retry it after a short delay',
    message: 'The first request with this key is still under way. Retry shortly.',
  },
  OPERATION_EXPIRED: {
    status: 409,
    next: 'Look at the resource; do not blindly repeat',
    message: 'The result of this operation is no longer kept. Look at the resource.',
  },
  EXTERNAL_REFERENCE_EXISTS: {
    status: 409,
    next: 'Look up the contract by `externalReference`, with `includeDeleted=true`: that of a deleted draft stays taken',
    message: 'There is a contract with this externalReference already.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, next: 'Send less', message: 'The body may have at most 1 MiB.' },
  VALIDATION_FAILED: {
    status: 422,
    next: 'Correct what `details` names',
    message:
      'The body does not fit: title is required: text of 1 to 200 characters; compensation.rate must be a number above 0; milestones[0].amount must be a number above 0.',
    details: [
      { path: 'title', code: 'required' },
      { path: 'compensation.rate', code: 'out_of_range' },
      { path: 'milestones[0].amount', code: 'invalid_type' },
    ],
  },
  RATE_LIMITED: {
    status: 429,
    next: 'Wait as long as `Retry-After` says',
    message: 'The limit of 600 reads a minute is used up.',
  },
  INTERNAL_ERROR: {
    status: 500,
    next: 'Tell support the `requestId`',
    message: 'Something went wrong on our side. The request id leads support to what happened.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    next: 'Retry with backoff',
    message: 'The payments service is unavailable at the moment. Retry with backoff.',
  },
};

/**
 * A failure as `/v1` answers it: the one body, and the headers that tell a client what to do next. The contract has statuses
 * of its own for what HTTP calls 408 and 431.
 */
export function refusal(refused: DomainError, requestId: string, httpStatus?: number): ErrorResponse {
  const error = httpStatus === 408 ? unavailable('The request took too long to arrive, so the service') : refused;
  const { code, message, details = [], retryAfterSeconds } = error;
  const { status } = ERROR_TABLE[code];
  const { type } = ERROR_STATUSES[status];
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  const wait = retryAfterSeconds ?? (status === 429 || status === 503 ? 1 : undefined);
  if (wait !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(wait)));
  const shown = details.map(({ path, code: what }) => ({ path, code: what }));
  const body: ErrorBody = {
    error: { type, code, message, status, requestId, ...(shown.length > 0 && { details: shown }) },
  };
  return { status, headers, type: JSON_TYPE, body: JSON.stringify(body) };
}
