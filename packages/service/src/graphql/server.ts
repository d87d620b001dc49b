import type { ServerResponse } from 'node:http';
import { createHttpServer, serveHealth, type ReadinessCheck } from '@payroll/runtime';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { executeRequest, type SubgraphResult, type ExecutionOptions, isRequest, type SubgraphError } from './answer.js';
import { Loaders } from './context.js';
import { Executor } from './executor.js';
import { FieldPermissions } from './permissions.js';

interface SubgraphServerOptions extends ExecutionOptions {
  log: FastifyBaseLogger;
  waitingFor: ReadinessCheck;
}

/** A message of the gateway has up to fifty requests (`gateway/src/subgraph-source.ts`), and a draft of /v1 up to 1 MiB. */
const BODY_LIMIT = 64 * 1024 * 1024;

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
    const answerTo = (element: unknown) => executeRequest(options, parts, loaders, element);
    if (!Array.isArray(body)) return await answerOverHttp(answerTo, request, reply);
    reply.hijack();
    return await answerMessage(reply.raw, body, answerTo);
  });
  serveHealth(server, options.waitingFor);
  await server.ready();
  return server;
}

const RESPONSE = 'application/graphql-response+json';

const STATUS: Readonly<Partial<Record<SubgraphError['extensions']['code'], number>>> = {
  INVALID_CREDENTIAL: 401,
  INVALID_REQUEST: 400,
  INSUFFICIENT_SCOPE: 403,
  SERVICE_UNAVAILABLE: 503,
};

/** GraphQL over HTTP for federation tools and other routers. The bearer token is the caller's actor token (ADR 07). */
async function answerOverHttp(
  answerTo: (element: unknown) => Promise<SubgraphResult>,
  { body, headers: { authorization, accept, traceparent } }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const isForm = isRequest(body);
  const answer = await answerTo(isForm ? { ...body, extensions: { token, traceparent } } : body);
  const isNew = accept?.includes(RESPONSE) ?? false;
  const status = answer.data !== undefined ? 200 : statusOfRefusal(answer, isNew || !isForm);
  return reply
    .code(status)
    .type(`${isNew ? RESPONSE : 'application/json'}; charset=utf-8`)
    .send(answer);
}

/** With `application/json` a GraphQL error is a 200 (GraphQL over HTTP, appendix): routers do not read other bodies. */
function statusOfRefusal({ errors = [] }: SubgraphResult, isToBeSeen: boolean): number {
  const status = errors.map(({ extensions: { code } }) => STATUS[code] ?? 500)[0] ?? 500;
  return isToBeSeen || status === 401 ? status : 200;
}

/** Writes one line per request, `place response`, as soon as it is known: none waits for a slower one. */
async function answerMessage(
  response: ServerResponse,
  requests: readonly unknown[],
  answerTo: (request: unknown) => Promise<SubgraphResult>,
): Promise<void> {
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  let known = '';
  const flush = (): void => {
    // The caller may have disconnected.
    if (known !== '' && !response.destroyed) response.write(known);
    known = '';
  };
  const add = async (request: unknown, place: number): Promise<void> => {
    const answer = await answerTo(request);
    if (known === '') setImmediate(flush);
    known += `${place} ${JSON.stringify(answer)}\n`;
  };
  await Promise.all(requests.map(add));
  response.end(known);
  known = '';
}

/** All answers of a message, in the order of its requests. */
export function parseJsonLines<Response>(lines: string): Response[] {
  const answers: Response[] = [];
  for (const line of lines.split('\n').filter(Boolean)) {
    const end = line.indexOf(' ');
    answers[Number(line.slice(0, end))] = JSON.parse(line.slice(end)) as Response;
  }
  return answers;
}
