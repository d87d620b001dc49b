import { Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { buildOperationContext, executeQueryPlan } from '@apollo/gateway';
import { QueryPlanner } from '@apollo/query-planner';
import { type ServiceName, DomainError, isErrorCode, unavailable, type ErrorDetail } from '@payroll/kernel';
import { GraphQLError, Kind, parse, stripIgnoredCharacters, validate, type DocumentNode } from 'graphql';
import type { SubgraphUrls } from './config.js';
import { subgraphSources, type SubgraphResponse, type SubgraphSources, type Caller } from './subgraph-source.js';

interface GatewayOptions {
  /** The composed schema: the text of `gateway/supergraph.graphql`. */
  supergraph: string;
  subgraphs: SubgraphUrls;
}

/** Apollo's messages repeat our log and contain queries. */
export const SILENT_LOGGER = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The federated graph, for callers that know their operations at start: the facade and the console. */
export class Gateway implements AsyncDisposable {
  private readonly planner: QueryPlanner;
  private readonly apiSchema;
  private readonly schema;
  private readonly supergraphSchema;
  private readonly sources: SubgraphSources;

  constructor({ supergraph, subgraphs }: GatewayOptions) {
    // It was validated when it was composed.
    const graph = Supergraph.build(supergraph, { validateSupergraph: false });
    this.planner = new QueryPlanner(graph);
    this.apiSchema = graph.apiSchema();
    this.schema = this.apiSchema.toGraphQLJSSchema();
    this.supergraphSchema = graph.schema.toGraphQLJSSchema();
    this.sources = subgraphSources(subgraphs);
  }

  /** Plans an operation, to be run many times. @throws GraphQLError if it is invalid against the schema. */
  prepare<Data, Variables extends Record<string, unknown>>(source: string): PreparedOperation<Data, Variables> {
    const document = parse(source);
    const [wrong] = validate(this.schema, document);
    if (wrong) throw wrong;
    const [operation, ...others] = document.definitions;
    const isAlone = others.length === 0 && operation?.kind === Kind.OPERATION_DEFINITION;
    const [field, ...more] = isAlone ? operation.selectionSet.selections : [];
    if (field?.kind !== Kind.FIELD) throw new GraphQLError('A prepared operation is one operation without fragments.');
    const name = (field.alias ?? field.name).value;
    return new PreparedOperation(this.wayOf(source, document), name, more.length === 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.sources).map((source) => source[Symbol.asyncDispose]()));
  }

  /** An operation of a single service is sent to it as written; its response needs no shaping. */
  private wayOf(source: string, document: DocumentNode): Ask {
    const plan = this.planner.buildQueryPlan(operationFromDocument(this.apiSchema, document));
    if (plan.node?.kind === 'Fetch') {
      const service = this.sources[plan.node.serviceName as ServiceName];
      const query = stripIgnoredCharacters(source);
      return (variables, caller) => service.send({ query, variables }, caller);
    }
    const operation = buildOperationContext({ schema: this.schema, operationDocument: document });
    return async (variables, caller) => {
      // All that is read of Apollo Server's request context (checked by test/apollo-contract.test.ts).
      const context = { request: { variables }, context: { caller }, logger: SILENT_LOGGER, metrics: {} } as never;
      const { supergraphSchema, apiSchema, sources } = this;
      const answer = await executeQueryPlan(plan, sources, context, operation, supergraphSchema, apiSchema);
      return answer as SubgraphResponse;
    };
  }
}

/** Sends an operation. The response of a single service is unparsed text; that of several is an object. */
type Ask = (variables: Record<string, unknown>, caller: Caller) => Promise<string | SubgraphResponse>;

/** An operation planned at start. */
export class PreparedOperation<Data, Variables extends Record<string, unknown>> {
  private readonly start: string;

  /** `field`: the name in the answer of its only field, or of its first. */
  constructor(
    private readonly ask: Ask,
    private readonly field: string,
    private readonly isOneField: boolean,
  ) {
    this.start = `{"data":{"${field}":`;
  }

  /** @throws DomainError the first error of any service: partial results are not returned. */
  async run(variables: Variables, caller: Caller): Promise<Data> {
    return dataOf(await this.ask(variables, caller)) as Data;
  }

  /**
   * As `run`, for callers that pass the answer on: the value of the operation's field as JSON, as the service wrote it.
   * @throws DomainError as `run`
   */
  async runToText(variables: Variables, caller: Caller): Promise<string> {
    const response = await this.ask(variables, caller);
    const isUnread = this.isOneField && typeof response === 'string';
    if (isUnread && response.startsWith(this.start) && response.endsWith('}}')) {
      return response.slice(this.start.length, -2);
    }
    return JSON.stringify(dataOf(response)[this.field] ?? null);
  }
}

function dataOf(response: string | SubgraphResponse): Record<string, unknown> {
  const { errors = [], data } = typeof response === 'string' ? (JSON.parse(response) as SubgraphResponse) : response;
  if (errors.length > 0 || !data) throw refusalOf(errors[0]);
  return data;
}

/** The refusal in a GraphQL error. An error without one of our codes is a failure on our side. */
function refusalOf(error: NonNullable<SubgraphResponse['errors']>[number] = { message: '' }): DomainError {
  const { message, extensions: { code, details, retryAfterSeconds } = {} } = error;
  if (!isErrorCode(code)) return new DomainError('INTERNAL_ERROR', 'Something failed on our side.');
  // Admission has just accepted the caller, so the service rejected our actor token: clock skew, or it arrived after it had
  // expired.
  if (code === 'INVALID_CREDENTIAL') return unavailable('A part of the service that the answer needs');
  return new DomainError(code, message, {
    ...(Array.isArray(details) && { details: details as ErrorDetail[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}
