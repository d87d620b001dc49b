import type { ErrorCode, ErrorDetail } from '@payroll/kernel';
import { ERROR_TABLE } from '../errors.js';
import type { Json } from './refer.js';

/** The statuses that public-api.md §7 declares for every operation, as the document names them. */
export const ERROR_STATUSES = {
  400: { name: 'BadRequest', description: 'Path, query, headers or the JSON itself cannot be read.' },
  401: { name: 'Unauthorized', description: 'Check the credential, its expiry and its environment.' },
  403: { name: 'Forbidden', description: 'Check the scopes, the current role and what is enabled for the workspace.' },
  404: { name: 'NotFound', description: 'Nothing of this workspace has this id.' },
  409: { name: 'Conflict', description: 'The request clashes with what is there. Look before any retry.' },
  413: { name: 'PayloadTooLarge', description: 'The body has more than 1 MiB.' },
  422: {
    name: 'UnprocessableContent',
    description: 'The body does not fit. `details` names every guilty path, `message` says what would fit.',
  },
  429: { name: 'TooManyRequests', description: 'A rate limit is used up. Wait as long as `Retry-After` says.' },
  500: { name: 'InternalServerError', description: 'Something went wrong on our side. Tell support the `requestId`.' },
  503: {
    name: 'ServiceUnavailable',
    description:
      'A part that the answer needs is away. Retry with backoff. What was asked is unknown, and not nothing.',
  },
} as const;
export type ErrorStatus = keyof typeof ERROR_STATUSES;

interface ErrorExample {
  /** What to do next (public-api.md §7). */
  next: string;
  message: string;
  details?: readonly ErrorDetail[];
}

const EXAMPLES: Readonly<Record<ErrorCode, ErrorExample>> = {
  INVALID_REQUEST: {
    next: 'Correct what `details` names',
    message: 'The request is not valid: limit must be a whole number from 1 to 100.',
    details: [{ path: 'limit', code: 'out_of_range' }],
  },
  INVALID_CREDENTIAL: {
    next: 'Check credential, expiry and environment',
    message: 'The API key is wrong, expired or revoked.',
  },
  INSUFFICIENT_SCOPE: {
    next: 'Check grant and current membership role',
    message: 'This needs the scope timesheets:write and a role that allows it.',
  },
  INTEGRATION_DISABLED: {
    next: 'Have the API enabled for the workspace',
    message: 'The public API is not enabled for this workspace.',
  },
  WRITES_DISABLED: {
    next: 'Have writes enabled for the workspace',
    message: 'Writes are not enabled for this workspace.',
  },
  NOT_FOUND: { next: 'Check the id and the workspace', message: 'The timesheet was not found in this workspace.' },
  STALE_RESOURCE_VERSION: {
    next: 'Fetch and review again, then use a new idempotency key',
    message: 'This has changed since you reviewed it. Fetch and review it again.',
  },
  INVALID_STATE: {
    next: 'Fetch it: it is not, or no longer, submitted',
    message: 'The timesheet is approved: it cannot be rejected.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    next: 'Send the original request, or use a new key',
    message: 'This Idempotency-Key was used for another request. Use a new one.',
  },
  OPERATION_IN_PROGRESS: {
    next: 'Your request has waited for the first one with its key: retry it after a short delay',
    message: 'The first request with this key is still under way. Retry shortly.',
  },
  OPERATION_EXPIRED: {
    next: 'Look at the resource; do not blindly repeat',
    message: 'The result of this operation is no longer kept. Look at the resource.',
  },
  EXTERNAL_REFERENCE_EXISTS: {
    next: 'Look up the contract by `externalReference`, with `includeDeleted=true`: that of a deleted draft stays taken',
    message: 'There is a contract with this externalReference already.',
  },
  PAYLOAD_TOO_LARGE: { next: 'Send less', message: 'The body may have at most 1 MiB.' },
  VALIDATION_FAILED: {
    next: 'Correct what `details` names',
    message:
      'The body does not fit: title is required: text of 1 to 200 characters; compensation.rate must be a number above 0; milestones[0].amount must be a number above 0.',
    details: [
      { path: 'title', code: 'required' },
      { path: 'compensation.rate', code: 'out_of_range' },
      { path: 'milestones[0].amount', code: 'invalid_type' },
    ],
  },
  RATE_LIMITED: { next: 'Wait as long as `Retry-After` says', message: 'The limit of 600 reads a minute is used up.' },
  INTERNAL_ERROR: {
    next: 'Tell support the `requestId`',
    message: 'Something went wrong on our side. The request id leads support to what happened.',
  },
  SERVICE_UNAVAILABLE: {
    next: 'Retry with backoff',
    message: 'The payments service is unavailable at the moment. Retry with backoff.',
  },
};

/** One failure of every code, by its code. */
export const errorExamples: Json = Object.fromEntries(
  Object.entries(EXAMPLES).map(([code, { next, message, details }]) => {
    const { status, type } = ERROR_TABLE[code as ErrorCode];
    const requestId = '019a8d77-20b6-7f43-a1c8-5e93d7b2040c';
    return [
      code,
      { summary: next, value: { error: { type, code, message, status, requestId, ...(details && { details }) } } },
    ];
  }),
);

export function codesOf(status: ErrorStatus): ErrorCode[] {
  return (Object.keys(EXAMPLES) as ErrorCode[]).filter((code) => ERROR_TABLE[code].status === status);
}
