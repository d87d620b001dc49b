import { DomainError } from '@payroll/kernel';

const NEUTRAL = 'Something went wrong on our side. The request id leads support to what happened.';

/** Any failure as one of the closed codes. What is not known is an internal error, and nothing of it goes outside. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) {
    return error.code === 'INTERNAL_ERROR' ? new DomainError('INTERNAL_ERROR', NEUTRAL, { cause: error }) : error;
  }
  const { code, statusCode } = refusalOfFastify(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DomainError('PAYLOAD_TOO_LARGE', 'The body may have at most 1 MiB.');
  }
  if (statusCode >= 400 && statusCode < 500) {
    return new DomainError('INVALID_REQUEST', 'The request could not be read.', { cause: error });
  }
  return new DomainError('INTERNAL_ERROR', NEUTRAL, { cause: error });
}

/** Fastify's own refusals have a code of its own and a status; a status alone may be anyone's. */
function refusalOfFastify(error: unknown): { code: string; statusCode: number } {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return { code: '', statusCode: 500 };
  const code = String(error.code);
  return { code, statusCode: code.startsWith('FST_ERR_') ? Number(error.statusCode) : 500 };
}
