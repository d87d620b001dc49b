import type { KeyObject } from 'node:crypto';
import { verifyActorToken } from '@payroll/admission';
import { DomainError, type ErrorCode, type ServiceName, type Origin, errorForLog } from '@payroll/kernel';
import { metrics, withRemoteSpan, fieldSpanName } from '@payroll/runtime';
import type { FastifyBaseLogger } from 'fastify';
import { Kind, type GraphQLSchema, type OperationDefinitionNode, GraphQLError } from 'graphql';
import type { Loaders, SubgraphContext } from './context.js';
import type { FieldPermissions } from './permissions.js';
import type { Executor, Parsed, Prepared } from './executor.js';

/** Reported by a command in addition to its result or refusal. */
interface Marks {
  /** An earlier call with the same operation id made the change. */
  replayed?: true;
  /** The refusal is recorded, now or by an earlier call: no call with this operation id will make the change. */
  recorded?: true;
}

/**
 * GraphQL's response to one request; without `data` where nothing was executed. It is written in this order: one that
 * begins with `data` has nothing else, and an edge passes it on unread.
 */
export interface SubgraphResult {
  errors?: readonly SubgraphError[];
  extensions?: Marks;
  data?: unknown;
}

/** Shared by all requests of a server. */
interface ExecutionResources {
  permissions: FieldPermissions;
  executor: Executor;
}

export interface ExecutionOptions extends ErrorOptions {
  service: ServiceName;
  actorTokenKeys: readonly KeyObject[];
  schema: GraphQLSchema;
}

interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
  /** The caller's actor token and trace. */
  extensions?: { token?: unknown; traceparent?: unknown } | null;
}

/** Answers one request. Never rejects, so that one request cannot break its message. */
export async function executeRequest(
  options: ExecutionOptions,
  { permissions, executor }: ExecutionResources,
  loaders: Loaders,
  element: unknown,
): Promise<SubgraphResult> {
  let requestId: string | undefined;
  const shown = (error: unknown): SubgraphError => toSubgraphError(error, options, requestId);
  try {
    const startedAt = performance.now();
    if (!isRequest(element)) throw new DomainError('INVALID_REQUEST', NO_REQUEST);
    const { query, variables, operationName, extensions } = element;
    const origin = verifyActorToken(options.service, options.actorTokenKeys, extensions?.token, new Date());
    ({ requestId } = origin);
    const parsed = executor.read(query);
    if (parsed.errors.length > 0) return { errors: parsed.errors.map(shown) };
    const prepared = operationNamed(operationName, parsed);
    permissions.require(origin.actor, prepared.document);
    const marks: Marks = {};
    const contextValue = contextOf(origin, permissions, loaders, marks);
    const field = firstFieldOf(prepared.operation);
    return await inSpan(extensions?.traceparent, field, origin, async () => {
      const result = await executor.run(prepared, { contextValue, variableValues: variables ?? {} });
      logRequest(options.log, origin, prepared.operation, performance.now() - startedAt);
      const errors = result.errors?.map(shown);
      metrics.subgraphOperations.since(startedAt, { operation: field, outcome: outcomeOf(errors) });
      const isMarked = Object.keys(marks).length > 0;
      return { ...(errors && { errors }), ...(isMarked && { extensions: marks }), data: result.data };
    });
  } catch (error) {
    return { errors: [shown(error)] };
  }
}

/** @param marks to which the operation's command adds its own */
function contextOf(origin: Origin, permissions: FieldPermissions, loaders: Loaders, marks: Marks): SubgraphContext {
  const onReplay = (): void => void (marks.replayed = true);
  const onRefusalRecorded = (): void => void (marks.recorded = true);
  const may: SubgraphContext['may'] = (reading) => permissions.may(origin.actor, reading);
  return { origin: { ...origin, onReplay, onRefusalRecorded }, loaders, may };
}

/** In the caller's trace, if it sent one. */
async function inSpan(
  traceparent: unknown,
  field: string,
  { requestId, actor }: Origin,
  answer: () => Promise<SubgraphResult>,
): Promise<SubgraphResult> {
  const details = { kind: 'server', requestId, workspaceId: actor.workspaceId } as const;
  const parent = typeof traceparent === 'string' ? traceparent : undefined;
  return await withRemoteSpan(parent, `answer: ${fieldSpanName(field)}`, details, answer);
}

/** The name may be left out where there is one operation. */
function operationNamed(asked: string | null | undefined, { operations }: Parsed): Prepared {
  const isUnnamed = (asked ?? null) === null && operations.length === 1;
  const found = operations.find(({ operation: { name } }) => isUnnamed || name?.value === asked);
  if (!found) throw new DomainError('INVALID_REQUEST', 'operationName must be that of one of the operations.');
  return found;
}

/** Changes are logged always, reads at `debug`; never fields or variables. */
function logRequest(
  log: FastifyBaseLogger,
  { requestId, actor }: Origin,
  { name, operation }: OperationDefinitionNode,
  tookMs: number,
): void {
  const isChange = operation === 'mutation';
  if (!isChange && log.level !== 'debug' && log.level !== 'trace') return;
  const { workspaceId, principalId } = actor;
  const line = { requestId, operation: name?.value, workspaceId, principalId, tookMs: Math.round(tookMs) };
  if (isChange) log.info(line, 'answered a change');
  else log.debug(line, 'answered');
}

/** A field of the schema: callers can make up any number of operation names, each of which would be a metric. */
function firstFieldOf({ selectionSet }: OperationDefinitionNode): string {
  const [first] = selectionSet.selections;
  return first?.kind === Kind.FIELD ? first.name.value : 'fragment';
}

function outcomeOf(errors: readonly SubgraphError[] | undefined): 'ok' | 'refused' | 'failed' {
  if (!errors) return 'ok';
  return errors.some(({ extensions: { code } }) => FAILURES.has(code)) ? 'failed' : 'refused';
}

const FAILURES: ReadonlySet<string> = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

const NO_REQUEST = 'A request has a query and, if it takes any, variables; its token is in its extensions.';

/** Whether it has the form of a request; its token is verified later. */
export function isRequest(element: unknown): element is SubgraphRequest {
  const { query, variables, operationName, extensions } = (element ?? {}) as Partial<
    Record<keyof SubgraphRequest, unknown>
  >;
  const isText = typeof query === 'string' && typeof (operationName ?? '') === 'string';
  return isText && isMapOrAbsent(variables) && isMapOrAbsent(extensions);
}

function isMapOrAbsent(value: unknown): boolean {
  return typeof (value ?? {}) === 'object' && !Array.isArray(value);
}

/** An error as callers see it, always with one of our codes. */
export interface SubgraphError {
  message: string;
  path?: readonly (string | number)[];
  locations?: readonly object[];
  extensions: Pick<DomainError, 'code'> & Partial<Pick<DomainError, 'details' | 'retryAfterSeconds'>>;
}

interface ErrorOptions {
  log: FastifyBaseLogger;
  /** Distinguishes an unavailable database from a bug. */
  mapDatabaseError: (error: unknown) => unknown;
}

/** Domain errors keep code and message. All else is logged here, and callers get a neutral sentence. */
function toSubgraphError(thrown: unknown, { log, mapDatabaseError }: ErrorOptions, requestId?: string): SubgraphError {
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
