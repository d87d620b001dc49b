import type { ErrorCode } from '@payroll/kernel';
import { ErrorBody, type Operation } from '@payroll/public-api';
import { ERROR_TABLE } from '../http/errors.js';
import { codesOf, ERROR_STATUSES, type ErrorStatus } from './errors.js';
import { headers, ON_ADMITTED, ON_EVERY_ANSWER } from './headers.js';
import type { Explanation } from './operations/explanation.js';
import { refer, type Json } from './refer.js';

const statuses = Object.keys(ERROR_STATUSES).map(Number) as ErrorStatus[];

/** The error answers, each described once. */
export const responseComponents: Json = Object.fromEntries(
  statuses.map((status) => [
    ERROR_STATUSES[status].name,
    {
      description: ERROR_STATUSES[status].description,
      headers: headers(...headersOf(status)),
      content: {
        'application/json': {
          schema: refer(ErrorBody),
          examples: Object.fromEntries(
            codesOf(status).map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    },
  ]),
);

/** What an operation answers: its success, and every declared error with the codes that it can have here. */
export function responsesOf(operation: Operation, { answer, answers }: Explanation): Json {
  const { success, body } = operation;
  return {
    [success.status]: {
      description: answer,
      headers: headers(...ON_ADMITTED, ...(body ? ['Idempotency-Replayed'] : [])),
      content: { 'application/json': { schema: refer(success.shape), examples: answers } },
    },
    ...errorResponses(refusalsOf(operation)),
  };
}

export function errorResponses(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const { name, description } = ERROR_STATUSES[status];
      const here = codes.filter((code) => ERROR_TABLE[code].status === status).map((code) => `\`${code}\``);
      const said =
        here.length > 0
          ? `${description} Here: ${here.join(', ')}.`
          : 'Not answered here. Declared so that all operations can be handled alike.';
      return [status, { $ref: `#/components/responses/${name}`, description: said }];
    }),
  );
}

/** Every code with which an operation can fail. */
function refusalsOf({ params, body, conflicts = [] }: Operation): ErrorCode[] {
  return [
    'INVALID_REQUEST',
    'INVALID_CREDENTIAL',
    'INSUFFICIENT_SCOPE',
    'INTEGRATION_DISABLED',
    ...(body ? (['WRITES_DISABLED'] as const) : []),
    ...(Object.keys(params.properties).length > 0 ? (['NOT_FOUND'] as const) : []),
    ...conflicts,
    ...(body ? OF_BODIES : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
  ];
}

const OF_BODIES = [
  'IDEMPOTENCY_KEY_REUSED',
  'OPERATION_IN_PROGRESS',
  'OPERATION_EXPIRED',
  'PAYLOAD_TOO_LARGE',
  'VALIDATION_FAILED',
] as const;

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
