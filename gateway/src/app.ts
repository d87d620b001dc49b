import { isUtf8 } from 'node:buffer';
import { ApolloGateway } from '@apollo/gateway';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { InMemoryLRUCache } from '@apollo/utils.keyvaluecache';
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify';
import {
  type ActorTokens,
  type AdmissionClient,
  AdmissionPeer,
  createAdmissionClient,
  parseInternalToken,
  describeTokenProblem,
} from '@payroll/admission';
import { DomainError, isId } from '@payroll/kernel';
import {
  createEdge,
  createLog,
  type Drain,
  type EdgeDependencies,
  HTTP_STATUS,
  openServer,
  type ErrorResponse,
  createReadinessCheck,
} from '@payroll/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphQLError } from 'graphql';
import { serveExplorer } from './explorer.js';
import { LIMITS, limitRequests } from './limits.js';
import { SILENT_LOGGER } from './gateway.js';
import { type Caller, type SubgraphSources, subgraphSources } from './subgraph-source.js';
import type { GatewayConfig } from './config.js';
import { describeTeams, supergraph } from './supergraph.js';

/** The internal endpoint, listening until it is disposed of: it then finishes what it took, newest part first. */
export async function startGateway(config: GatewayConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('gateway', config.logLevel);
  const sources = subgraphSources(config.subgraphs);
  for (const source of Object.values(sources)) starting.use(source);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const app = await createApp({
    ...config,
    supergraph: describeTeams(supergraph()),
    sources,
    admission,
    log,
    waitingFor: createReadinessCheck(drain, {}),
  });
  starting.use(await openServer(app, drain, config));
  return starting.move();
}

interface GatewayAppOptions extends EdgeDependencies {
  /** The composed schema, as callers see it. */
  supergraph: string;
  sources: SubgraphSources;
  admission: Pick<AdmissionClient, 'ask'>;
  /** Has the explorer's initial token, workspace and reason; without it, the visitor must enter them. */
  explorerStack: string | null;
}

/**
 * Without this, Apollo's gateway asks the metadata services of every cloud where it runs, and reports that to Apollo each
 * minute. It reads the environment when it is made, and has no option for it.
 */
export function turnOffApolloTelemetry(env: NodeJS.ProcessEnv): void {
  env['APOLLO_TELEMETRY_DISABLED'] = 'true';
}

/** More texts than internal teams ask in a day. Bounded, since callers can make up any number of them. */
const LATEST_USED = { maxSize: 500, sizeCalculation: () => 1 };

/** The internal endpoint: `POST /graphql` with a staff or service token, for one workspace named in the request. */
export async function createApp(options: GatewayAppOptions): Promise<FastifyInstance> {
  const { admission, explorerStack } = options;
  const server = createEdge({
    ...options,
    // The explorer is a page with a token in it, and frames a part of itself.
    headers: { 'Referrer-Policy': 'no-referrer', 'X-Frame-Options': 'SAMEORIGIN' },
    traceNameOf: (request) => (request.method === 'POST' ? 'answer an internal team' : null),
    refusal: refusalBeforeGraphql,
  });
  const apollo = apolloOver(server, options);
  await apollo.start();
  server.post('/graphql', fastifyApolloHandler(apollo, { context: (request) => admit(admission, request) }));
  await serveExplorer(server, explorerStack);
  return server;
}

function apolloOver(
  server: FastifyInstance,
  { supergraph, sources }: GatewayAppOptions,
): ApolloServer<{ caller: Caller }> {
  return new ApolloServer({
    gateway: new ApolloGateway({
      supergraphSdl: supergraph,
      buildService: ({ name }) => sources[name as keyof SubgraphSources],
      queryPlannerConfig: { cache: new InMemoryLRUCache(LATEST_USED) },
      logger: SILENT_LOGGER,
    }),
    introspection: true,
    documentStore: new InMemoryLRUCache(LATEST_USED),
    persistedQueries: false,
    parseOptions: { maxLexicalTokens: LIMITS.tokens },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    plugins: [fastifyApolloDrainPlugin(server), limitRequests],
    logger: SILENT_LOGGER,
    formatError: ({ message, path, extensions }) => {
      const { code, details, retryAfterSeconds } = extensions ?? {};
      return { message, ...(path && { path }), extensions: { code, details, retryAfterSeconds } };
    },
  });
}

/** @throws GraphQLError, whose HTTP status says as much as its code. */
async function admit(admission: Pick<AdmissionClient, 'ask'>, request: FastifyRequest): Promise<{ caller: Caller }> {
  try {
    return { caller: { tokens: await tokensOf(admission, request), requestId: request.id } };
  } catch (error) {
    throw error instanceof DomainError ? refusal(error) : error;
  }
}

async function tokensOf(admission: Pick<AdmissionClient, 'ask'>, request: FastifyRequest): Promise<ActorTokens> {
  const { authorization, 'x-workspace-id': workspaceId, 'x-reason': reason } = request.headers;
  const credential = parseInternalToken(authorization);
  if (credential !== null && !isId(workspaceId)) throw noWorkspace(workspaceId);
  const answer = await admission.ask({
    credential,
    requestId: request.id,
    clientAddress: request.ip,
    limit: 'reads',
    scope: null,
    ...(isId(workspaceId) && { workspaceId }),
    ...(typeof reason === 'string' && { reason: textOf(reason) }),
  });
  if (answer.admitted) return answer.tokens;
  const { code, retryAfterSeconds, details } = answer;
  const isUnreadable = code === 'INVALID_CREDENTIAL' && credential === null;
  const message = isUnreadable ? describeTokenProblem(authorization) : answer.message;
  throw new DomainError(code, message, { retryAfterSeconds, details });
}

/** Node reads headers as Latin-1, as browsers send them; other programs send UTF-8. */
function textOf(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

function noWorkspace(given: unknown): DomainError {
  const message = 'Name the workspace that the request is about by its id, a UUID, in the header x-workspace-id.';
  const code = given === undefined ? 'required' : 'invalid_format';
  return new DomainError('INVALID_REQUEST', message, { details: [{ path: 'x-workspace-id', code }] });
}

/** An error before GraphQL is reached, in the shape of a GraphQL error. */
function refusalBeforeGraphql({ code, message }: DomainError, _requestId: string, status?: number): ErrorResponse {
  const body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  return { status: status ?? HTTP_STATUS[code] ?? 500, type: 'application/json; charset=utf-8', body };
}

function refusal({ code, message, retryAfterSeconds, details }: DomainError): GraphQLError {
  const headers = new HeaderMap();
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds));
  return new GraphQLError(message, {
    extensions: { code, retryAfterSeconds, details, http: { status: HTTP_STATUS[code] ?? 403, headers } },
  });
}
