import type { KeyObject } from 'node:crypto';
import { verifyActorToken } from '@payroll/admission';
import { DomainError, type ErrorCode, type ServiceName, type Origin } from '@payroll/kernel';
import { metrics, stepOf, wordsOfField } from '@payroll/telemetry';
import type { FastifyBaseLogger } from 'fastify';
import { getOperationAST, Kind, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { Loaders, SubgraphContext } from './context.js';
import type { Documents } from './documents.js';
import type { FieldPermissions } from './permissions.js';
import type { Executor, TextResult } from './executor.js';
import { formatError, type AnswerError, type ErrorOptions } from './format-error.js';

/** What a command says beside its result or its refusal. */
interface Marks {
  /** An earlier call with the same operation id made the change. */
  replayed?: true;
  /** The refusal is recorded, now or by an earlier call: no call with this operation id will make the change. */
  recorded?: true;
}

/** The answer to one request; without `data` where nothing was executed. */
export interface Answer {
  data?: unknown;
  errors?: readonly AnswerError[];
  extensions?: Marks;
}

/** What all requests of a server share. */
export interface AnswerParts {
  documents: Documents;
  permissions: FieldPermissions;
  executor: Executor;
}

export interface AnswerOptions extends ErrorOptions {
  service: ServiceName;
  actorKey: KeyObject;
  schema: GraphQLSchema;
}

interface SubgraphRequest {
  token: unknown;
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
  /** Of the caller's trace. */
  traceparent?: unknown;
  /** Whether the answer may be text. */
  text?: unknown;
}

/** Answers one request. Never rejects, so that one request cannot break its message. */
export async function answer(
  options: AnswerOptions,
  { documents, permissions, executor }: AnswerParts,
  loaders: Loaders,
  element: unknown,
): Promise<Answer | TextResult> {
  let requestId: string | undefined;
  const shown = (error: unknown): AnswerError => formatError(error, options, requestId);
  try {
    const startedAt = performance.now();
    if (!isRequest(element)) throw new DomainError('INVALID_REQUEST', NO_REQUEST);
    const { token, query, variables, operationName, traceparent, text } = element;
    const origin = verifyActorToken(options.service, options.actorKey, token, new Date());
    ({ requestId } = origin);
    const document = documents.read(query);
    if (!('kind' in document)) return { errors: document.map(shown) };
    const operation = getOperationAST(document, operationName);
    if (!operation) throw new DomainError('INVALID_REQUEST', 'operationName must be that of one of the operations.');
    permissions.require(origin.actor, document);
    const marks: Marks = {};
    const noteReplay = (): void => void (marks.replayed = true);
    const noteRecorded = (): void => void (marks.recorded = true);
    const contextValue: SubgraphContext = {
      origin: { ...origin, noteReplay, noteRecorded },
      loaders,
      may: (reading) => permissions.may(origin.actor, reading),
    };
    const field = firstFieldOf(operation);
    const details = { kind: 'server', requestId, workspaceId: origin.actor.workspaceId } as const;
    const asks = typeof traceparent === 'string' ? traceparent : undefined;
    return await stepOf(asks, `answer: ${wordsOfField(field)}`, details, async () => {
      const asked = { document, operationName, contextValue, variableValues: variables ?? {} };
      const result = await executor.run(operation, asked, text === true);
      logRequest(options.log, origin, operation, performance.now() - startedAt);
      const errors = result.errors?.map(shown);
      metrics.subgraphOperations.since(startedAt, { operation: field, outcome: outcomeOf(errors) });
      if ('text' in result) return result;
      const isMarked = Object.keys(marks).length > 0;
      return { data: result.data, ...(errors && { errors }), ...(isMarked && { extensions: marks }) };
    });
  } catch (error) {
    return { errors: [shown(error)] };
  }
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

function outcomeOf(errors: readonly AnswerError[] | undefined): 'ok' | 'refused' | 'failed' {
  if (!errors) return 'ok';
  return errors.some(({ extensions: { code } }) => FAILURES.has(code)) ? 'failed' : 'refused';
}

const FAILURES: ReadonlySet<string> = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

const NO_REQUEST = 'A request has a token, a query and, if it takes any, variables.';

/** Whether it has the form of a request; its token is verified later. */
export function isRequest(element: unknown): element is SubgraphRequest {
  const { query, variables, operationName } = (element ?? {}) as Partial<Record<keyof SubgraphRequest, unknown>>;
  const isMapOrAbsent = typeof (variables ?? {}) === 'object' && !Array.isArray(variables);
  return typeof query === 'string' && isMapOrAbsent && typeof (operationName ?? '') === 'string';
}
