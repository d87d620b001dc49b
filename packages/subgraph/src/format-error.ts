import type { ErrorDetail, ErrorCode } from '@payroll/kernel';
import { DomainError, errorForLog } from '@payroll/kernel';
import type { FastifyBaseLogger } from 'fastify';
import { GraphQLError, Kind } from 'graphql';

/** An error as it leaves: a code of ours and nothing else. */
export interface AnswerError {
  message: string;
  path?: readonly (string | number)[];
  locations?: readonly object[];
  extensions: { code: ErrorCode; details?: readonly ErrorDetail[] | undefined; retryAfterSeconds?: number | undefined };
}

export interface ErrorOptions {
  log: FastifyBaseLogger;
  /** Tells a database that cannot right now from a mistake of ours. */
  asDomainError: (error: unknown) => unknown;
}

/**
 * Domain refusals travel by their code; anything else is logged here, by the id of its request once that is known, and
 * leaves as a neutral sentence.
 */
export function formatError(
  thrown: unknown,
  { log, asDomainError }: ErrorOptions,
  requestId: string | undefined,
): AnswerError {
  const path = thrown instanceof GraphQLError ? thrown.path : undefined;
  const where = path ? { path } : {};
  const error = asDomainError(resolverErrorIn(thrown));
  if (error instanceof DomainError) {
    if (error.cause !== undefined)
      log.warn({ requestId, error: errorForLog(error.cause), code: error.code }, 'a dependency failed');
    const { code, message, details, retryAfterSeconds } = error;
    return { ...where, message, extensions: { code, details, retryAfterSeconds } };
  }
  // Requests that do not fit the schema: the sender's mistake, described by GraphQL itself. With a path it is an argument,
  // or else an answer of ours that does not fit, such as a value that its enum does not have.
  if (error instanceof GraphQLError && isGraphqlsOwn(error) && (!path || isOfArgument(error))) {
    const { message, locations } = error;
    return { ...where, message, ...(locations && { locations }), extensions: { code: 'INVALID_REQUEST' } };
  }
  log.error({ requestId, error: errorForLog(error) }, 'a resolver failed');
  return { ...where, message: 'Something failed on our side.', extensions: { code: 'INTERNAL_ERROR' } };
}

/** What a resolver threw: GraphQL puts an error of its own around it, which says where. */
function resolverErrorIn(thrown: unknown): unknown {
  return thrown instanceof GraphQLError && thrown.path && thrown.originalError ? thrown.originalError : thrown;
}

/** Found only when the field is reached, such as null in a variable that may be null for an argument that has a default. */
function isOfArgument({ nodes }: GraphQLError): boolean {
  return nodes?.[0] !== undefined && nodes[0].kind !== Kind.FIELD;
}

function isGraphqlsOwn({ originalError }: GraphQLError): boolean {
  return !originalError || originalError instanceof GraphQLError;
}
