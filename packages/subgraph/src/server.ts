import { createHttpServer, serveHealth, type WaitingFor } from '@payroll/process';
import { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { answer, type AnswerOptions } from './answer.js';
import { AnswerLines } from './answer-lines.js';
import { Loaders } from './context.js';
import { Documents } from './documents.js';
import { Executor } from './executor.js';
import { answerOverHttp } from './graphql-over-http.js';
import { FieldPermissions } from './permissions.js';

export interface SubgraphServerOptions extends AnswerOptions {
  log: FastifyBaseLogger;
  waitingFor: WaitingFor;
}

const BODY_LIMIT = 8 * 1024 * 1024;

/** `POST /graphql`: a list is a message of the gateway library (ADR 07), all else GraphQL over HTTP (ADR 07). */
export async function createSubgraphServer(options: SubgraphServerOptions): Promise<FastifyInstance> {
  const { schema } = options;
  const permissions = new FieldPermissions(schema);
  const parts = { documents: new Documents(schema), permissions, executor: new Executor(schema) };
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
    const lines = new AnswerLines(reply.raw);
    await Promise.all(body.map(async (each: unknown, place) => lines.add(place, await answerTo(each))));
    return lines.end();
  });
  serveHealth(server, options.waitingFor);
  await server.ready();
  return server;
}
