import { DomainError, newId } from '@payroll/kernel';
import { createHttpServer, ownHosts, serveHealth } from '@payroll/process';
import { BODY_LIMIT_BYTES } from '@payroll/public-api';
import { observeRequests, routeOf, traceRequests, wordsOfField } from '@payroll/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admit } from './http/admit.js';
import { answerError } from './http/answer-error.js';
import { setAnswerHeaders } from './http/answer-headers.js';
import { answerClientError } from './http/client-error.js';
import type { AppDependencies } from './http/dependencies.js';
import { logRequests } from './http/log-requests.js';
import { openApi } from './http/open-api.js';
import { answerOurselves } from './http/own-answers.js';
import { readQueryString } from './http/query-string.js';
import { keepTime, timed } from './http/request-state.js';
import { serveReference } from './http/reference.js';
import { refuseUnknownRoute } from './http/unknown-route.js';
import { v1 } from './http/v1.js';

const DEADLINE_MS = 10_000;

/** The HTTP server of `/v1`, not yet listening. Disposing it (`await using`) waits for the answers under way. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { log, trustedProxies, deadlineMs = DEADLINE_MS, publicUrl = '/v1' } = dependencies;
  const app = createHttpServer({
    genReqId: newId,
    requestIdHeader: false,
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    limits: { requestMs: deadlineMs },
    trustedProxies,
    // A request without one is answered by us.
    http: { requireHostHeader: false },
    routerOptions: { querystringParser: readQueryString as unknown as (text: string) => Record<string, unknown> },
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => {
      void answerUnreadablePath(dependencies, deadlineMs, request, reply);
    },
  });
  // Bodies stay bytes until admission has answered and the operation reads them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  traceRequests(app, {
    nameOf: (request) => wordsFor(operationOf(request)),
    // Only mcp holds assertions. What merely looks like one leads to a trace of a refusal, which is limited as all are.
    isOurs: ({ headers }) => dependencies.parseCredential(headers.authorization)?.kind === 'assertion',
    workspaceOf: ({ admitted }) => admitted?.origin.actor.workspaceId,
  });
  app.addHook('onRequest', (request, reply, done) => {
    setAnswerHeaders(reply, request.id);
    done();
  });
  answerOurselves(app, ownHosts([publicUrl], dependencies.allowedHosts));
  keepTime(app, deadlineMs);
  logRequests(app, log);
  observeRequests(app, operationOf);
  app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply));
  app.setNotFoundHandler(refuseUnknownRoute);
  serveHealth(app, dependencies.waitingFor);
  openApi(app, publicUrl);
  await serveReference(app);
  await app.register(v1(dependencies), { prefix: '/v1' });
  return app;
}

/** By the name that the OpenAPI document gives it. */
function operationOf(request: FastifyRequest): string | null {
  return request.routeOptions.config.operationName ?? routeOf(request);
}

function wordsFor(operation: string | null): string | null {
  return operation === null ? null : wordsOfField(operation);
}

/** A path that cannot be decoded never meets a hook, so what the hooks do is done here. */
async function answerUnreadablePath(
  dependencies: AppDependencies,
  deadlineMs: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  setAnswerHeaders(reply, request.id);
  timed(request, reply, deadlineMs);
  try {
    await admit(dependencies, request, reply);
    throw new DomainError('INVALID_REQUEST', 'The path could not be read.');
  } catch (error) {
    answerError(dependencies.log, error, request, reply);
  }
}
