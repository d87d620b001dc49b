import type { ConnectionAdmission } from '@payroll/admission';
import type { AuthInfo } from '@modelcontextprotocol/server';
import { DomainError } from '@payroll/kernel';
import { createEdge, type EdgeParts, type Refusal } from '@payroll/process';
import type { FastifyInstance } from 'fastify';
import { authenticate, metadataUrlOf, serveDiscovery } from './http/authenticate.js';
import { exchange } from './http/exchange.js';
import { guardOrigins } from './http/origins.js';
import type { McpEndpoint } from './protocol/endpoint.js';
import { refusalOf } from './protocol/rpc-errors.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission: no message is read without. */
    authInfo: AuthInfo;
    /** Instead: why a caller with a valid token is refused. */
    refused: DomainError | undefined;
  }
}

/** An older host's call stays open while a person takes up to five minutes to answer. */
const SILENT_MS = 360_000;

export interface AppDependencies extends EdgeParts {
  admission: ConnectionAdmission;
  endpoint: McpEndpoint;
  publicUrl: string;
  authUrl: string;
  guideUrl: string;
  allowedOrigins: readonly string[];
}

export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { endpoint, publicUrl, guideUrl } = dependencies;
  const app = createEdge({
    ...dependencies,
    limits: { silentMs: SILENT_MS },
    traceNameOf: (request) => (request.method === 'POST' ? 'answer an assistant' : null),
    refusal: refusalBeforeProtocol,
    notFound: `There is nothing at this address. Assistants connect to ${publicUrl}`,
  });
  // Bodies are for `/mcp` alone.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  serveDiscovery(app, dependencies);
  // For people who open the address of the server in a browser.
  app.get('/', (_request, reply) => reply.redirect(guideUrl));
  // Calls end by themselves; streams that hosts only listen to do not.
  app.addHook('preClose', () => Promise.resolve(endpoint.endStreams()));
  await app.register((mcp) => serveMcp(mcp, dependencies));
  return app;
}

const HTTP_STATUS: Readonly<Partial<Record<DomainError['code'], number>>> = { NOT_FOUND: 404, INTERNAL_ERROR: 500 };

/** Refusals before any tool, as errors of JSON-RPC. Another `Host` is refused with 403, as other origins are. */
function refusalBeforeProtocol({ code, message }: DomainError, _requestId: string, status?: number): Refusal {
  const refusal = refusalOf(code, message, code === 'INTERNAL_ERROR' ? -32_603 : undefined);
  return { status: status ?? HTTP_STATUS[code] ?? 403, type: 'application/json', body: JSON.stringify(refusal) };
}

const METHODS = ['GET', 'POST', 'DELETE'];
const OTHER_METHOD = refusalOf('INVALID_REQUEST', 'This address takes POST, and within a session GET and DELETE.');

async function serveMcp(app: FastifyInstance, dependencies: AppDependencies): Promise<void> {
  const { admission, endpoint, publicUrl, allowedOrigins } = dependencies;
  await guardOrigins(app, publicUrl, allowedOrigins);
  const url = new URL(publicUrl).pathname;
  app.route({
    method: app.supportedMethods.filter((method) => ![...METHODS, 'OPTIONS'].includes(method)),
    url,
    handler: (_request, reply) => reply.code(405).header('allow', METHODS.join(', ')).send(OTHER_METHOD),
  });
  await app.register(async (messages) => {
    // Of any type: what does not fit is refused in the words of the protocol.
    messages.removeAllContentTypeParsers();
    messages.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) => done(null, json(text)));
    messages.decorateRequest('authInfo');
    messages.decorateRequest('refused');
    messages.route({
      method: METHODS,
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const found = await authenticate(admission, metadataUrlOf(publicUrl), request, reply);
        if (!found) return reply;
        if (found instanceof DomainError) request.refused = found;
        else request.authInfo = found;
        return;
      },
      handler: (request, reply) => exchange(endpoint, request, reply),
    });
  });
}

/** What a text says in JSON; undefined where it is none. */
function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
