import type { KeyObject } from 'node:crypto';
import { verifyActorToken, type ServiceName } from '@payroll/admission';
import { DomainError, type ErrorCode } from '@payroll/kernel';
import { metrics, stepOf, wordsOfField } from '@payroll/telemetry';
import { execute, Kind, type DocumentNode, type GraphQLSchema } from 'graphql';
import type { Loaders, SubgraphContext } from './context.js';
import type { Documents } from './documents.js';
import type { TeamPermissions } from './team-permissions.js';
import { formatError, type AnswerError, type ErrorOptions } from './format-error.js';
import { logRequest } from './log-request.js';

/** What a subgraph says to one request. */
interface Answer {
  data?: unknown;
  errors?: readonly AnswerError[];
  /** Only of a change that had been made before, by the same operation id. */
  extensions?: { replayed: true };
}

/** What is kept from one request to the next. */
export interface AnswerParts {
  documents: Documents;
  permissions: TeamPermissions;
}

export interface AnswerOptions extends ErrorOptions {
  service: ServiceName;
  actorKey: KeyObject;
  schema: GraphQLSchema;
}

/** One operation of one caller. */
interface SubgraphRequest {
  token: unknown;
  query: string;
  variables: Record<string, unknown> | null | undefined;
  /** The step of a trace that asks. */
  traceparent: string | undefined;
}

/** Answers one request of a message. Never rejects: whatever one of them is or does, the others are answered. */
export async function answer(
  options: AnswerOptions,
  { documents, permissions }: AnswerParts,
  loaders: Loaders,
  element: unknown,
): Promise<Answer> {
  let requestId: string | undefined;
  const shown = (error: unknown): AnswerError => formatError(error, options, requestId);
  try {
    const startedAt = performance.now();
    const { token, query, variables, traceparent } = readRequest(element);
    const origin = verifyActorToken(options.service, options.actorKey, token, new Date());
    ({ requestId } = origin);
    const document = documents.read(query);
    if (!('kind' in document)) return { errors: document.map(shown) };
    permissions.require(origin.actor, document);
    let isReplay = false;
    const noteReplay = (): void => void (isReplay = true);
    const contextValue: SubgraphContext = { origin: { ...origin, noteReplay }, loaders };
    const { schema, log } = options;
    const operation = firstFieldOf(document);
    const details = { kind: 'server', requestId, workspaceId: origin.actor.workspaceId } as const;
    return await stepOf(traceparent, `answer: ${wordsOfField(operation)}`, details, async () => {
      const result = await execute({ schema, document, contextValue, variableValues: variables ?? {} });
      logRequest(log, origin, document, performance.now() - startedAt);
      const errors = result.errors?.map(shown);
      metrics.subgraphOperations.since(startedAt, { operation, outcome: outcomeOf(errors) });
      const extensions = isReplay ? { extensions: { replayed: true } as const } : {};
      return errors ? { data: result.data, errors, ...extensions } : { data: result.data, ...extensions };
    });
  } catch (error) {
    return { data: null, errors: [shown(error)] };
  }
}

/** Of the graph, so that callers who name their operations as they like make no metric of each name. */
function firstFieldOf({ definitions }: DocumentNode): string {
  const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
  const first = operation?.selectionSet.selections[0];
  return first?.kind === Kind.FIELD ? first.name.value : 'fragment';
}

function outcomeOf(errors: readonly AnswerError[] | undefined): 'ok' | 'refused' | 'failed' {
  if (!errors) return 'ok';
  return errors.some(({ extensions: { code } }) => FAILURES.has(code)) ? 'failed' : 'refused';
}

const FAILURES: ReadonlySet<string> = new Set<ErrorCode>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

function readRequest(element: unknown): SubgraphRequest {
  const { token, query, variables, traceparent } = (element ?? {}) as Partial<Record<keyof SubgraphRequest, unknown>>;
  if (typeof query !== 'string' || !isRecordOrAbsent(variables)) {
    throw new DomainError('INVALID_REQUEST', 'A request has a token, a query and, if it takes any, variables.');
  }
  return { token, query, variables, traceparent: typeof traceparent === 'string' ? traceparent : undefined };
}

function isRecordOrAbsent(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}
