import type { ApolloServerPlugin, BaseContext } from '@apollo/server';
import {
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { sizeOf, type RequestSize } from './request-size.js';

/** Far above what a person or a back end needs at once: what is larger is asked for in several requests. */
export const LIMITS = { tokens: 2_000, depth: 10, aliases: 20, cost: 25_000 } as const;

const HINTS: Readonly<Record<keyof RequestSize, string>> = {
  depth: 'ask for what is further down by its id',
  aliases: 'send the fields in several requests',
  cost: 'take smaller pages or fewer fields',
};

/** Refuses what is too large after it is understood and before anybody works on it. The length is limited by the parser. */
export const limitRequests: ApolloServerPlugin<BaseContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        if (operation) requireSize(schema, document, operation, request.variables ?? {});
        return Promise.resolve();
      },
    }),
};

function requireSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): void {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  // Variables that do not fit are refused by whoever runs the operation, in words of their own.
  if (!coerced) return;
  const size = sizeOf(schema, document, operation, coerced);
  for (const kind of ['depth', 'aliases', 'cost'] as const) {
    if (size[kind] <= LIMITS[kind]) continue;
    throw new GraphQLError(`Too large: its ${kind} is ${size[kind]}, at most ${LIMITS[kind]}; ${HINTS[kind]}.`, {
      extensions: { code: 'INVALID_REQUEST', http: { status: 400 } },
    });
  }
}
