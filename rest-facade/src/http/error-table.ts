import type { ErrorCode } from '@payroll/kernel';
import type { ErrorType } from '@payroll/public-api';

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
