import type { KeyObject } from 'node:crypto';
import { verifyActorToken, type ServiceName } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { execute, type GraphQLSchema } from 'graphql';
import type { Loaders, SubgraphContext } from './context.js';
import type { Documents } from './documents.js';
import type { TeamPermissions } from './team-permissions.js';
import { formatError, type AnswerError, type ErrorOptions } from './format-error.js';
import { logRequest } from './log-request.js';

/** What a subgraph says to one request. */
interface Answer {
  data?: unknown;
  errors?: readonly AnswerError[];
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
    const { token, query, variables } = readRequest(element);
    const origin = verifyActorToken(options.service, options.actorKey, token, new Date());
    ({ requestId } = origin);
    const document = documents.read(query);
    if (!('kind' in document)) return { errors: document.map(shown) };
    permissions.require(origin.actor, document);
    const contextValue: SubgraphContext = { origin, loaders };
    const { schema, log } = options;
    const { data, errors } = await execute({ schema, document, contextValue, variableValues: variables ?? {} });
    logRequest(log, origin, document, performance.now() - startedAt);
    return errors ? { data, errors: errors.map(shown) } : { data };
  } catch (error) {
    return { data: null, errors: [shown(error)] };
  }
}

function readRequest(element: unknown): SubgraphRequest {
  const { token, query, variables } = (element ?? {}) as Partial<Record<keyof SubgraphRequest, unknown>>;
  if (typeof query !== 'string' || !isRecordOrAbsent(variables)) {
    throw new DomainError('INVALID_REQUEST', 'A request has a token, a query and, if it takes any, variables.');
  }
  return { token, query, variables };
}

function isRecordOrAbsent(value: unknown): value is Record<string, unknown> | null | undefined {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}
