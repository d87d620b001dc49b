import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway';
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import { SERVICES, type ServiceName } from '@payroll/admission';
import { NOT_LOGGED } from './not-logged.js';
import { PreparedOperation, type PlannedFetch } from './prepared-operation.js';
import { SubgraphSource } from './subgraph-source.js';
import type { Caller } from './caller.js';

export interface GatewayOptions {
  /** The composed schema: the text of `gateway/supergraph.graphql`. */
  supergraph: string;
  subgraphs: Readonly<Record<ServiceName, string>>;
}

/** The federated graph over all services: embedded by the facade, served to internal teams by this folder's server. */
export class Gateway implements AsyncDisposable {
  private constructor(
    private readonly apollo: ApolloGateway,
    private readonly supergraph: string,
    private readonly sources: Readonly<Record<ServiceName, SubgraphSource>>,
    private readonly plans: ReadonlyMap<string, PlannedFetch>,
  ) {}

  static async create({ supergraph, subgraphs }: GatewayOptions): Promise<Gateway> {
    const sources = Object.fromEntries(
      SERVICES.map((service) => [service, new SubgraphSource(service, subgraphs[service])]),
    ) as Record<ServiceName, SubgraphSource>;
    const plans = new Map<string, PlannedFetch>();
    const apollo = new ApolloGateway({
      supergraphSdl: supergraph,
      buildService: ({ name }) => dataSource(sources[name as ServiceName]),
      logger: NOT_LOGGED,
      experimental_didResolveQueryPlan: ({ queryPlan: { node }, requestContext }) => {
        if (node?.kind !== 'Fetch' || node.requires) return;
        const { serviceName, operation, variableUsages = [] } = node;
        plans.set(requestContext.queryHash, { source: sources[serviceName as ServiceName], operation, variableUsages });
      },
    });
    await apollo.load();
    return new Gateway(apollo, supergraph, sources, plans);
  }

  /** Parses and checks an operation once, to be run many times. @throws GraphQLError if it does not fit the schema. */
  prepare<Data, Variables extends Record<string, unknown>>(operation: string): PreparedOperation<Data, Variables> {
    return new PreparedOperation(this.apollo, this.plans, operation);
  }

  /** For an Apollo Server, whose context must hold the `caller`. The graph is loaded already and never changes. */
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

function dataSource(source: SubgraphSource): GraphQLDataSource {
  return {
    process: async ({ request, context }) => {
      const { caller } = context as { caller: Caller };
      return await source.send(request.query ?? '', request.variables, caller);
    },
  };
}
