import type { ErrorCode } from '@payroll/kernel';
import type { Operation } from '@payroll/public-api';
import { ERROR_TABLE } from '../http/error-table.js';
import { headers, ON_ADMITTED, ON_EVERY_ANSWER } from './headers.js';
import { refer, type Json } from './refer.js';
import { ErrorBody } from '@payroll/public-api';

/** The statuses that public-api.md §7 declares for every operation, as the document names them. */
const ERRORS = {
  400: { name: 'BadRequest', description: 'Path, query, headers or the JSON itself cannot be read.' },
  401: { name: 'Unauthorized', description: 'Check the credential, its expiry and its environment.' },
  403: { name: 'Forbidden', description: 'Check the grant, the current role and what is enabled for the workspace.' },
  404: { name: 'NotFound', description: 'Nothing of this workspace has this id.' },
  409: { name: 'Conflict', description: 'The request clashes with what is there. Look before any retry.' },
  413: { name: 'PayloadTooLarge', description: 'The body has more than 1 MiB.' },
  422: { name: 'UnprocessableContent', description: 'The body does not fit; `details` names every guilty path.' },
  429: { name: 'TooManyRequests', description: 'A rate limit is used up. Wait as long as `Retry-After` says.' },
  500: { name: 'InternalServerError', description: 'Something went wrong on our side.' },
  503: { name: 'ServiceUnavailable', description: 'A part that the answer needs is away. Retry with backoff.' },
} as const;
type ErrorStatus = keyof typeof ERRORS;

const statuses = Object.keys(ERRORS).map(Number) as ErrorStatus[];

/** The error answers, each described once. */
export const responseComponents: Json = Object.fromEntries(
  statuses.map((status) => [
    ERRORS[status].name,
    {
      description: ERRORS[status].description,
      headers: headers(...headersOf(status)),
      content: { 'application/json': { schema: refer(ErrorBody) } },
    },
  ]),
);

/** What an operation answers: its success, and every declared error with the codes that it can have here. */
export function responsesOf(operation: Operation): Json {
  const { success, body } = operation;
  const replay = body ? ['Idempotency-Replayed'] : [];
  return {
    [success.status]: {
      description: 'Done.',
      headers: headers(...ON_ADMITTED, ...replay),
      content: { 'application/json': { schema: refer(success.shape) } },
    },
    ...errorResponses(codesOf(operation)),
  };
}

export function errorResponses(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => ERROR_TABLE[code].status === status);
      const description =
        here.length > 0
          ? `${ERRORS[status].description} Codes: ${here.map((code) => `\`${code}\``).join(', ')}.`
          : 'Not answered by this operation; declared so that all operations are handled alike.';
      return [status, { $ref: `#/components/responses/${ERRORS[status].name}`, description }];
    }),
  );
}

function headersOf(status: ErrorStatus): readonly string[] {
  switch (status) {
    case 401:
      return [...ON_EVERY_ANSWER, 'WWW-Authenticate'];
    case 409:
    case 429:
    case 503:
      return [...ON_ADMITTED, 'Retry-After'];
    default:
      return ON_ADMITTED;
  }
}

/** Every code with which an operation can fail. */
function codesOf({ params, body, conflicts = [] }: Operation): ErrorCode[] {
  return [
    'INVALID_REQUEST',
    'INVALID_CREDENTIAL',
    'INSUFFICIENT_SCOPE',
    'INTEGRATION_DISABLED',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    ...(Object.keys(params.properties).length > 0 ? (['NOT_FOUND'] as const) : []),
    ...(body ? OF_WRITES : []),
    ...conflicts,
  ];
}

const OF_WRITES = [
  'WRITES_DISABLED',
  'PAYLOAD_TOO_LARGE',
  'VALIDATION_FAILED',
  'IDEMPOTENCY_KEY_REUSED',
  'OPERATION_IN_PROGRESS',
  'OPERATION_EXPIRED',
] as const;
