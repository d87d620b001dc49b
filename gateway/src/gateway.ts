import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';
import { getOperationAST, Kind, parse, print, type DocumentNode } from 'graphql';
import { LatestUsed, NOT_LOGGED } from './apollo.js';
import { PreparedOperation, type PlannedFetch } from './prepared-operation.js';
import { SubgraphSource, type Caller } from './subgraph-source.js';

export interface GatewayOptions {
  /** The composed schema: the text of `gateway/supergraph.graphql`. */
  supergraph: string;
  subgraphs: Readonly<Record<ServiceName, string>>;
}

/** Plans of prepared operations alone, by hash; null until the first run. For all others Apollo's cache is `LatestUsed`. */
type Plans = Map<string, PlannedFetch | null>;

/** The federated graph over all services: embedded by the facade, served to internal teams by this folder's server. */
export class Gateway implements AsyncDisposable {
  private constructor(
    private readonly apollo: ApolloGateway,
    private readonly supergraph: string,
    private readonly sources: Readonly<Record<ServiceName, SubgraphSource>>,
    private readonly prepared: Plans,
  ) {}

  static async create({ supergraph, subgraphs }: GatewayOptions): Promise<Gateway> {
    const sources = byName(SERVICES, (service) => new SubgraphSource(service, subgraphs[service]));
    const prepared: Plans = new Map();
    const apollo = new ApolloGateway({
      supergraphSdl: supergraph,
      buildService: ({ name }) => dataSource(sources[name as ServiceName]),
      logger: NOT_LOGGED,
      queryPlannerConfig: { cache: new LatestUsed() },
      experimental_didResolveQueryPlan: ({ queryPlan: { node }, requestContext }) => {
        if (!prepared.has(requestContext.queryHash) || node?.kind !== 'Fetch' || node.requires) return;
        const { serviceName, operation, variableUsages = [] } = node;
        const source = sources[serviceName as ServiceName];
        const mayBeText = isSameField(requestContext.document, parse(operation));
        prepared.set(requestContext.queryHash, { source, operation, variableUsages, mayBeText });
      },
    });
    await apollo.load();
    return new Gateway(apollo, supergraph, sources, prepared);
  }

  /** How many prepared operations go straight to their service by now. */
  get knownWays(): number {
    return [...this.prepared.values()].filter((planned) => planned !== null).length;
  }

  /** Parses and validates an operation once, to be run many times. @throws GraphQLError if it does not fit the schema. */
  prepare<Data, Variables extends Record<string, unknown>>(operation: string): PreparedOperation<Data, Variables> {
    return new PreparedOperation(this.apollo, this.prepared, operation);
  }

  /** For an Apollo Server whose context holds the `caller`. The graph is loaded and never changes. */
  get forApolloServer(): GatewayInterface {
    const { apollo, supergraph } = this;
    return {
      load: () => Promise.resolve({ executor: apollo.executor }),
      onSchemaLoadOrUpdate: (listener) => {
        listener({ apiSchema: apollo.schema!, coreSupergraphSdl: supergraph });
        return () => {};
      },
      stop: () => Promise.resolve(),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.apollo.stop();
    await Promise.all(Object.values(this.sources).map((source) => source.close()));
  }
}

/**
 * Whether the service is asked for one field, with the very selection that was prepared: its text is then the field's value
 * in the answer.
 */
function isSameField(prepared: DocumentNode, planned: DocumentNode): boolean {
  const [one, other] = [prepared, planned].map((document) => {
    const operation = getOperationAST(document);
    const [field, ...others] = operation?.operation === 'query' ? operation.selectionSet.selections : [];
    if (field?.kind !== Kind.FIELD || !field.selectionSet || others.length > 0) return null;
    return `${(field.alias ?? field.name).value} ${print(field.selectionSet)}`;
  });
  return typeof one === 'string' && one === other;
}

function dataSource(source: SubgraphSource): GraphQLDataSource {
  return {
    process: async ({ request, context }) => {
      const { caller } = context as { caller: Caller };
      return await source.send({ query: request.query ?? '', variables: request.variables }, caller);
    },
  };
}
