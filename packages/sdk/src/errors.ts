import type { ErrorBody, ErrorCode, ErrorDetail } from './shapes.js';

/** The content of an error response, without its headers. */
export interface Refusal extends Omit<ErrorBody['error'], 'code' | 'type'> {
  type: string;
  code: string;
  retryAfterSeconds: number | null;
}

/**
 * The service refused, or failed. There is a class for each code of the API; one that a later version of it adds, or an
 * answer of something on the way (`code` is then `HTTP_404` and the like), is an `ApiError` alone. After a status of 500 and
 * more, and `OPERATION_IN_PROGRESS`, a write may have been applied, as after `NoAnswerError`.
 */
export class ApiError extends Error {
  readonly type: string;
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** Give it to support; empty if the response was not the service's. */
  readonly requestId: string;
  /** Everything that is wrong with the request, each with its path. */
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;

  constructor({ type, code, message, status, requestId, details = [], retryAfterSeconds }: Refusal) {
    super(message);
    this.name = new.target.name;
    this.type = type;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export class InvalidCredentialError extends ApiError {}
export class InsufficientScopeError extends ApiError {}
export class IntegrationDisabledError extends ApiError {}
export class WritesDisabledError extends ApiError {}
export class RateLimitedError extends ApiError {}
export class InvalidRequestError extends ApiError {}
export class ValidationFailedError extends ApiError {}
export class PayloadTooLargeError extends ApiError {}
export class NotFoundError extends ApiError {}
export class InvalidStateError extends ApiError {}
export class IdempotencyKeyReusedError extends ApiError {}
export class OperationInProgressError extends ApiError {}
export class OperationExpiredError extends ApiError {}
export class ExternalReferenceExistsError extends ApiError {}
export class InternalError extends ApiError {}
export class ServiceUnavailableError extends ApiError {}

/** The work is no longer as it was reviewed. */
export class StaleResourceVersionError extends ApiError {
  constructor(refusal: Refusal) {
    const next = 'What is decided then is a new operation: newOperation().';
    super({ ...refusal, message: `${refusal.message} ${next}` });
  }
}

const CLASSES: Record<ErrorCode, typeof ApiError> = {
  INVALID_CREDENTIAL: InvalidCredentialError,
  INSUFFICIENT_SCOPE: InsufficientScopeError,
  INTEGRATION_DISABLED: IntegrationDisabledError,
  WRITES_DISABLED: WritesDisabledError,
  RATE_LIMITED: RateLimitedError,
  INVALID_REQUEST: InvalidRequestError,
  VALIDATION_FAILED: ValidationFailedError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  NOT_FOUND: NotFoundError,
  STALE_RESOURCE_VERSION: StaleResourceVersionError,
  INVALID_STATE: InvalidStateError,
  IDEMPOTENCY_KEY_REUSED: IdempotencyKeyReusedError,
  OPERATION_IN_PROGRESS: OperationInProgressError,
  OPERATION_EXPIRED: OperationExpiredError,
  EXTERNAL_REFERENCE_EXISTS: ExternalReferenceExistsError,
  INTERNAL_ERROR: InternalError,
  SERVICE_UNAVAILABLE: ServiceUnavailableError,
};

export function errorOf(refusal: Refusal): ApiError {
  const known = Object.hasOwn(CLASSES, refusal.code) ? CLASSES[refusal.code as ErrorCode] : ApiError;
  return new known(refusal);
}

/** No complete response of the service in time. A write may have been applied: send it again with the same operation and input. */
export class NoAnswerError extends Error {
  constructor(call: { name: string; method: string }, cause: unknown) {
    const isWrite = call.method === 'POST';
    const next = isWrite ? ': whether it was done is unknown. Send it again with the same operation' : '';
    super(`${call.name} got no answer${next}.`, { cause });
    this.name = new.target.name;
  }
}
