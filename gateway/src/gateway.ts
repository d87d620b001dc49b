import { Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { buildOperationContext, executeQueryPlan } from '@apollo/gateway';
import { QueryPlanner } from '@apollo/query-planner';
import type { ServiceName } from '@payroll/kernel';
import { GraphQLError, Kind, parse, stripIgnoredCharacters, validate, type DocumentNode } from 'graphql';
import type { SubgraphUrls } from './config.js';
import { PreparedOperation, type Ask } from './prepared-operation.js';
import { subgraphSources, type SubgraphResponse, type SubgraphSources } from './subgraph-source.js';

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
