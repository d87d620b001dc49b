import type { Caller, Gateway, PreparedOperation } from '@payroll/gateway';
import type { DocumentDecoration, initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from './graph.js';

type Variables = Record<string, unknown>;

/** A GraphQL query or mutation of a page. `Data` is the type of what its document selects. */
export type GraphqlOperation<Data, Given> = DocumentDecoration<Data, Given>;

type Graph = initGraphQLTada<{
  introspection: introspection;
  scalars: { CalendarDate: string; Decimal: string; Timestamp: string };
}>;

/** Filled when the modules of the pages are loaded, so all operations are known before the first request. */
const known = new Set<string>();

/**
 * Registers an operation and returns its text; gql.tada's type calls it a document, but nothing is parsed here. The types of
 * its variables and answer are inferred from the text, so every part of the text must be a literal.
 */
export const graphql = ((text: string) => {
  known.add(text);
  return text;
}) as unknown as Graph;

/** The operation id of a mutation, by which it is done once: how it is declared, and passed on. */
export const ONCE = '$operationId: ID';
export const SENT = 'operationId: $operationId';

export type { ResultOf, VariablesOf };

/** Runs an operation as the person who is signed in. */
export type Run = <Data, Given>(operation: GraphqlOperation<Data, Given>, given: Given) => Promise<Data>;

/** The type of one field of an answer, without null. */
export type FieldOf<Asked, Name extends keyof ResultOf<Asked>> = NonNullable<ResultOf<Asked>[Name]>;

/** The type of the rows of a list in an answer. */
export type RowOf<Asked, Name extends keyof ResultOf<Asked>> = ResultOf<Asked>[Name] extends { nodes: (infer Row)[] }
  ? Row
  : never;

/** The operations of all pages, prepared. @throws GraphQLError at start if one does not match the schema */
export class PreparedOperations {
  private readonly prepared;

  constructor(gateway: Gateway) {
    this.prepared = new Map([...known].map((text) => [text, gateway.prepare<unknown, Variables>(text)]));
  }

  /** @throws DomainError the first error of any service: partial results are not returned */
  async run<Data, Given>(operation: GraphqlOperation<Data, Given>, given: Given, caller: Caller): Promise<Data> {
    const prepared = this.prepared.get(operation as unknown as string) as PreparedOperation<Data, Variables>;
    return await prepared.run(given as Variables, caller);
  }
}
