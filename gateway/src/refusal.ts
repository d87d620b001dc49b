import { DomainError, isErrorCode, type ErrorDetail } from '@payroll/kernel';

interface GraphQLErrorLike {
  message: string;
  extensions?: Record<string, unknown>;
}

/** The refusal a GraphQL error carries. Anything without one of our codes is a failure on our side. */
export function refusalOf({ message, extensions }: GraphQLErrorLike): DomainError {
  const { code, details, retryAfterSeconds } = extensions ?? {};
  if (!isErrorCode(code)) return new DomainError('INTERNAL_ERROR', 'Something failed on our side.');
  return new DomainError(code, message, {
    ...(Array.isArray(details) && { details: details as ErrorDetail[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}
