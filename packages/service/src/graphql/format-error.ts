import { DomainError, errorForLog } from '@payroll/kernel';
import type { FastifyBaseLogger } from 'fastify';
import { GraphQLError, Kind } from 'graphql';

/** An error as callers see it, always with one of our codes. */
export interface SubgraphError {
  message: string;
  path?: readonly (string | number)[];
  locations?: readonly object[];
  extensions: Pick<DomainError, 'code'> & Partial<Pick<DomainError, 'details' | 'retryAfterSeconds'>>;
}

export interface ErrorOptions {
  log: FastifyBaseLogger;
  /** Distinguishes an unavailable database from a bug. */
  mapDatabaseError: (error: unknown) => unknown;
}

/** Domain errors keep code and message. All else is logged here, and callers get a neutral sentence. */
export function toSubgraphError(
  thrown: unknown,
  { log, mapDatabaseError }: ErrorOptions,
  requestId?: string,
): SubgraphError {
  const path = thrown instanceof GraphQLError ? thrown.path : undefined;
  const where = path ? { path } : {};
  const error = mapDatabaseError(resolverErrorIn(thrown));
  if (error instanceof DomainError) {
    if (error.cause !== undefined)
      log.warn({ requestId, error: errorForLog(error.cause), code: error.code }, 'a dependency failed');
    const { code, message, details, retryAfterSeconds } = error;
    return { ...where, message, extensions: { code, details, retryAfterSeconds } };
  }
  // The request does not match the schema. With a path, only errors about arguments are the caller's; others mean that our
  // result is invalid.
  if (error instanceof GraphQLError && isGraphqlsOwn(error) && (!path || isOfArgument(error))) {
    const { message, locations } = error;
    return { ...where, message, ...(locations && { locations }), extensions: { code: 'INVALID_REQUEST' } };
  }
  log.error({ requestId, error: errorForLog(error) }, 'a resolver failed');
  return { ...where, message: 'Something failed on our side.', extensions: { code: 'INTERNAL_ERROR' } };
}

/** The error that a resolver threw, without GraphQL's wrapper. */
function resolverErrorIn(thrown: unknown): unknown {
  return thrown instanceof GraphQLError && thrown.path && thrown.originalError ? thrown.originalError : thrown;
}

/** Such as null in a nullable variable for a non-null argument with a default: found only during execution. */
function isOfArgument({ nodes }: GraphQLError): boolean {
  return nodes?.[0] !== undefined && nodes[0].kind !== Kind.FIELD;
}

function isGraphqlsOwn({ originalError }: GraphQLError): boolean {
  return !originalError || originalError instanceof GraphQLError;
}
