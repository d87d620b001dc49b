/** The code of every refusal (public-api.md §7). One table in the facade turns it into an HTTP status. */
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

/**
 * Codes that a command may refuse with: the refusal is stored as the operation's outcome and replayed to every retry. Any
 * other code says nothing about the operation: it was raised before the decision, or is temporary.
 */
export const DECIDED_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_FOUND',
  'STALE_RESOURCE_VERSION',
  'INVALID_STATE',
  'EXTERNAL_REFERENCE_EXISTS',
  'VALIDATION_FAILED',
]);

/** One problem of a request: where (`compensation.rate`, `milestones[0].amount`) and of which kind. */
export interface ErrorDetail {
  path: string;
  code: string;
}

export interface DomainErrorOptions {
  details?: readonly ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

/** A refusal with a closed code and a sentence for the caller. Callers never see a stack, SQL or an internal name. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    { details, retryAfterSeconds, cause }: DomainErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.some((code) => code === value);
}

export function isDomainError(error: unknown, code: ErrorCode): error is DomainError {
  return error instanceof DomainError && error.code === code;
}

/** A dependency did not answer: 503, with a time after which a retry makes sense. */
export function unavailable(what: string, cause?: unknown): DomainError {
  const message = `${what} is unavailable at the moment. Retry with backoff.`;
  return new DomainError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: 1, cause });
}

export function notFound(what: string): DomainError {
  return new DomainError('NOT_FOUND', `${what} was not found in this workspace.`);
}

/** @throws DomainError `NOT_FOUND` for null and undefined. */
export function requireFound<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) throw notFound(what);
  return found;
}

/** @throws DomainError `VALIDATION_FAILED` that names every problem, if there is one. */
export function throwIfInvalid(problems: readonly ErrorDetail[], message: string): void {
  if (problems.length > 0) throw new DomainError('VALIDATION_FAILED', message, { details: problems });
}

/** For a value that is refused alone. */
export function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The parts of an error that may be logged. Messages of database errors contain values, so only the SQLSTATE is kept. */
export function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    ...(code !== undefined && SQLSTATE.test(code) ? {} : { message: error.message }),
    at: error.stack
      ?.match(/^\s+at .*$/gm)
      ?.slice(0, 5)
      .map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
