import { createHttpServer, serveHealth, type ReadinessCheck } from '@payroll/runtime';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { executeRequest, type SubgraphResult, type ExecutionOptions, isRequest } from './answer.js';
import { Loaders } from './context.js';
import { Executor } from './executor.js';
import { answerMessage } from './messages.js';
import { FieldPermissions } from './permissions.js';
import type { SubgraphError } from './format-error.js';

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
