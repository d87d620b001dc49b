import { createHttpServer, serveHealth, type WaitingFor } from '@payroll/process';
import { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { answer, type AnswerOptions } from './answer.js';
import { AnswerLines } from './answer-lines.js';
import { Loaders } from './context.js';
import { Documents } from './documents.js';
import { TeamPermissions } from './team-permissions.js';

export interface SubgraphServerOptions extends AnswerOptions {
  log: FastifyBaseLogger;
  waitingFor: WaitingFor;
}

const BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Serves a subgraph to the gateway library (ADR 0003): `POST /graphql` with a list of requests, each with its own actor
 * token, which is answered by a line for each (`AnswerLines`).
 */
export async function createSubgraphServer(options: SubgraphServerOptions): Promise<FastifyInstance> {
  const parts = { documents: new Documents(options.schema), permissions: new TeamPermissions(options.schema) };
  const server = createHttpServer({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
  });
  server.post('/graphql', async ({ body }, reply) => {
    if (!Array.isArray(body)) return await reply.code(400).send({ error: 'expected a list of requests' });
    reply.hijack();
    const lines = new AnswerLines(reply.raw);
    const loaders = new Loaders();
    await Promise.all(
      body.map(async (each: unknown, place) => lines.add(place, await answer(options, parts, loaders, each))),
    );
    lines.end();
  });
  serveHealth(server, options.waitingFor);
  await server.ready();
  return server;
}
