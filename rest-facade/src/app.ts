import { hash } from 'node:crypto';
import { DomainError } from '@payroll/kernel';
import { createEdge, type EdgeDependencies, metrics, routeOf, fieldSpanName } from '@payroll/runtime';
import { BODY_LIMIT_BYTES, createParameterReader, distinct, explain, NoQuery } from '@payroll/public-api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { JSON_TYPE, refusal } from './errors.js';
import { openApiDocument } from './openapi/document.js';
import { readQueryString, type QueryText } from './read-request.js';
import { serveReference } from './reference/site.js';
import { admit, DEADLINE_MS, v1, type V1Dependencies } from './v1.js';

export interface AppDependencies extends V1Dependencies, EdgeDependencies {
  /** Where integrators reach `/v1`; may be relative to where they got the OpenAPI document. */
  publicUrl: string;
  /** The public address of `/mcp`, for the guide; empty if there is none. */
  mcpUrl: string;
}

/** More than the headers of a request may have. */
const MAX_PATH_LENGTH = 65_536;

/** The HTTP server of `/v1`, not yet listening. Disposing it (`await using`) waits for the answers under way. */
export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { log, waitingFor, trustedProxies, allowedHosts, publicUrl, mcpUrl, deadlineMs = DEADLINE_MS } = dependencies;
  const app = createEdge({
    ...{ log, waitingFor, trustedProxies, allowedHosts, publicUrl, refusal },
    bodyLimitBytes: BODY_LIMIT_BYTES,
    limits: { requestMs: deadlineMs },
    routerOptions: {
      querystringParser: readQueryString as unknown as (text: string) => Record<string, unknown>,
      // A longer id is refused like any invalid id; by default it would be an unknown path.
      maxParamLength: MAX_PATH_LENGTH,
    },
    operationOf,
    traceNameOf: (request) => {
      const operation = operationOf(request);
      return operation === null ? null : fieldSpanName(operation);
    },
    // Only mcp can write assertions. A forged one only causes a trace of a refusal, and refusals are rate-limited.
    isOurs: ({ headers }) => dependencies.parseCredential(headers.authorization)?.kind === 'assertion',
    callerOf: ({ admitted }) => {
      const { workspaceId, principalId } = admitted?.origin.actor ?? {};
      return { workspaceId, principalId };
    },
    refused: ({ code }) => metrics.errors.add({ code }),
    admitUnreadable: (request, reply) => admit(dependencies, request, reply),
  });
  // Bodies stay bytes until admission has answered and the operation reads them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  app.decorateRequest('admitted', null);
  app.decorateRequest('deadline');
  const document = openApiDocument(publicUrl);
  serveDocument(app, document);
  serveReference(app, document, mcpUrl);
  await app.register(v1(dependencies), { prefix: '/v1' });
  return app;
}

/** By the name that the OpenAPI document gives it. */
function operationOf(request: FastifyRequest): string | null {
  return request.routeOptions.config.operationName ?? routeOf(request);
}

/** `GET /v1/openapi.json`: public, serialized once, with an ETag. */
function serveDocument(app: FastifyInstance, document: object): void {
  const body = Buffer.from(JSON.stringify(document));
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  app.get('/v1/openapi.json', async (request, reply) => {
    refuseParameters(request.query as QueryText);
    void reply.headers({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (isNamed(etag, request.headers['if-none-match'])) return await reply.code(304).send();
    return await reply.type(JSON_TYPE).send(body);
  });
}

const readQuery = createParameterReader(NoQuery);

function refuseParameters({ parameters, problems }: QueryText): void {
  const reading = readQuery(parameters);
  const details = distinct([...problems, ...(reading.ok ? [] : reading.problems)]);
  if (details.length === 0) return;
  throw new DomainError('INVALID_REQUEST', `The request is not valid: ${explain(NoQuery, details)}.`, { details });
}

/** RFC 9110 §13.1.2: one of a list, compared weakly; `*` is any copy at all. */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes(etag) || named.includes('*');
}
