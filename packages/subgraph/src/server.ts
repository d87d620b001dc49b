import { ApolloServer } from '@apollo/server';
import { verifyActorToken, type ServiceName } from '@payroll/admission';
import { DomainError, errorForLog } from '@payroll/kernel';
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { unwrapResolverError } from '@apollo/server/errors';
import { Loaders, type SubgraphContext } from './context.js';

export interface SubgraphServerOptions {
  service: ServiceName;
  actorKey: Buffer;
  schema: GraphQLSchema;
  log: FastifyBaseLogger;
  /** Tells a database that cannot right now from a mistake of ours. */
  asDomainError: (error: unknown) => unknown;
  /** Whether the process may be given traffic. */
  isReady: () => boolean;
}

/** One operation of one caller. A message holds several: the gateway sends what was asked in one tick together. */
interface SubgraphRequest {
  token: string;
  query: string;
  variables?: Record<string, unknown>;
}

const BODY_LIMIT = 8 * 1024 * 1024;

/** Serves a subgraph to the gateway library: `POST /graphql` with a list of requests, each with its own actor token. */
export async function createSubgraphServer(options: SubgraphServerOptions): Promise<FastifyInstance> {
  const apollo = new ApolloServer<SubgraphContext>({
    schema: options.schema,
    introspection: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, error) => formatError(formatted, error, options),
    logger: { debug: () => {}, info: () => {}, warn: (m) => options.log.warn(m), error: (m) => options.log.error(m) },
  });
  await apollo.start();
  const server = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
  });
  server.post<{ Body: SubgraphRequest[] }>('/graphql', async (request, reply) => {
    if (!Array.isArray(request.body)) return reply.code(400).send({ error: 'expected a list of requests' });
    const loaders = new Loaders();
    return await Promise.all(request.body.map((each) => answer(apollo, options, loaders, each)));
  });
  server.get('/livez', () => ({ ok: true }));
  server.get('/readyz', (_request, reply) => reply.code(options.isReady() ? 200 : 503).send({ ok: options.isReady() }));
  server.addHook('onClose', async () => await apollo.stop());
  return server;
}

async function answer(
  apollo: ApolloServer<SubgraphContext>,
  options: SubgraphServerOptions,
  loaders: Loaders,
  { token, query, variables }: SubgraphRequest,
): Promise<unknown> {
  let contextValue: SubgraphContext;
  try {
    contextValue = { origin: verifyActorToken(options.service, options.actorKey, token, new Date()), loaders };
  } catch (error) {
    return { data: null, errors: [formatError({ message: '' }, error, options)] };
  }
  const response = await apollo.executeOperation({ query, ...(variables && { variables }) }, { contextValue });
  return response.body.kind === 'single' ? response.body.singleResult : null;
}

/** Domain refusals travel by their code; anything else is logged here and leaves as a neutral sentence. */
function formatError(
  formatted: GraphQLFormattedError,
  thrown: unknown,
  { log, asDomainError }: SubgraphServerOptions,
): GraphQLFormattedError {
  const error = asDomainError(unwrapResolverError(thrown));
  const where = formatted.path === undefined ? {} : { path: formatted.path };
  if (error instanceof DomainError) {
    if (error.cause !== undefined)
      log.warn({ error: errorForLog(error.cause), code: error.code }, 'a dependency failed');
    const { code, details, retryAfterSeconds } = error;
    return { ...where, message: error.message, extensions: { code, details, retryAfterSeconds } };
  }
  // Requests that do not fit the schema: the sender's mistake, described by GraphQL itself. With a path it is an answer
  // of ours that does not fit, such as a value that its enum does not have.
  if (
    formatted.path === undefined &&
    error instanceof GraphQLError &&
    (!error.originalError || error.originalError instanceof GraphQLError)
  ) {
    return { ...formatted, extensions: { code: 'INVALID_REQUEST' } };
  }
  log.error({ error: errorForLog(error) }, 'a resolver failed');
  return { ...where, message: 'Something failed on our side.', extensions: { code: 'INTERNAL_ERROR' } };
}
