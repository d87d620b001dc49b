/**
 * Every refusal the system can give, by the code its callers read (public-api.md §7). Services throw them, GraphQL
 * carries the code in `extensions`, and one table in the facade turns it into an HTTP status.
 */
export const ERROR_CODES = [
  'INVALID_CREDENTIAL',
  'INSUFFICIENT_SCOPE',
  'INTEGRATION_DISABLED',
  'WRITES_DISABLED',
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'NOT_FOUND',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
  'IDEMPOTENCY_KEY_REUSED',
  'OPERATION_IN_PROGRESS',
  'OPERATION_EXPIRED',
  'EXTERNAL_REFERENCE_EXISTS',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** One thing wrong with a request: where (`compensation.rate`, `milestones[0].amount`) and what kind of wrong. */
export interface ErrorDetail {
  path: string;
  code: string;
}

export interface DomainErrorOptions {
  details?: readonly ErrorDetail[];
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** A refusal with a closed code and a sentence for the caller; never carries a stack, SQL or an internal name outside. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && CODES.has(value);
}

/** A part that the answer needs did not answer: 503, with a time after which a retry makes sense. */
export function unavailable(what: string, cause?: unknown): DomainError {
  return new DomainError('SERVICE_UNAVAILABLE', `${what} is unavailable at the moment. Retry with backoff.`, {
    retryAfterSeconds: 1,
    cause,
  });
}

export function notFound(what: string): DomainError {
  return new DomainError('NOT_FOUND', `${what} was not found in this workspace.`);
}

/** Makes forgetting a member of a union a type error: the `default` of every switch over one. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}
