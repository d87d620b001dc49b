import { createHttpServer, serveHealth, type WaitingFor } from '@payroll/runtime';
import { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { answer, type AnswerOptions } from './answer.js';
import { Loaders } from './context.js';
import { Executor } from './executor.js';
import { answerOverHttp } from './graphql-over-http.js';
import { answerMessage } from './messages.js';
import { FieldPermissions } from './permissions.js';

export interface SubgraphServerOptions extends AnswerOptions {
  log: FastifyBaseLogger;
  waitingFor: WaitingFor;
}

const BODY_LIMIT = 8 * 1024 * 1024;

/** `POST /graphql`: a list is a message of the gateway library, anything else GraphQL over HTTP (ADR 07). */
export async function createSubgraphServer(options: SubgraphServerOptions): Promise<FastifyInstance> {
  const { schema } = options;
  const parts = { permissions: new FieldPermissions(schema), executor: new Executor(schema) };
  const server = createHttpServer({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
  });
  server.post('/graphql', async (request, reply) => {
    const { body } = request;
    const loaders = new Loaders();
    const answerTo = (element: unknown) => answer(options, parts, loaders, element);
    if (!Array.isArray(body)) return await answerOverHttp(answerTo, request, reply);
    reply.hijack();
    return await answerMessage(reply.raw, body, answerTo);
  });
  serveHealth(server, options.waitingFor);
  await server.ready();
  return server;
}
