import { getOAuthProtectedResourceMetadataUrl as metadataUrlOf } from '@modelcontextprotocol/server';
import { AdmissionPeer, createConnectionAdmission } from '@payroll/admission';
import type { DomainError } from '@payroll/kernel';
import {
  createEdge,
  createLog,
  type Drain,
  type EdgeDependencies,
  openServer,
  type ErrorResponse,
  createReadinessCheck,
} from '@payroll/runtime';
import type { FastifyInstance } from 'fastify';
import { serveMessages, type MessageDependencies } from './messages.js';
import { refusalOf } from './protocol/rpc-errors.js';
import type { McpConfig } from './config.js';
import { ReviewStates } from './confirmation/review-state.js';
import { FacadeClient } from './facade-client.js';
import { McpEndpoint } from './protocol/endpoint.js';

/** An older host's call stays open while a person takes up to five minutes to answer. */
const SILENT_MS = 360_000;

/** A draft with all that the tool takes, each character escaped, is half of it. */
const LARGEST_MESSAGE = 131_072;

export async function startMcp(config: McpConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('mcp', config.logLevel);
  const facade = starting.use(new FacadeClient(config.restUrl));
  const admission = createConnectionAdmission(starting.use(new AdmissionPeer(config.admission)));
  const states = new ReviewStates(config.confirmationKeys);
  const endpoint = starting.use(new McpEndpoint({ admission, states, facade, log, peopleUrl: config.authUrl }));
  const missing = createReadinessCheck(drain, {});
  const app = await createApp({ ...config, admission, endpoint, log, waitingFor: missing });
  starting.use(await openServer(app, drain, config));
  return starting.move();
}

export interface AppDependencies extends EdgeDependencies, MessageDependencies {
  authUrl: string;
  guideUrl: string;
}

export async function createApp(dependencies: AppDependencies): Promise<FastifyInstance> {
  const { endpoint, publicUrl, guideUrl } = dependencies;
  const app = createEdge({
    ...dependencies,
    limits: { silentMs: SILENT_MS },
    bodyLimitBytes: LARGEST_MESSAGE,
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
  await app.register((mcp) => serveMessages(mcp, dependencies));
  return app;
}

/** For identity only: what the caller may do follows from the connection and the role (public-api.md §5). */
const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/** Tells hosts which authorization server to ask (RFC 9728), at both addresses that hosts try. */
function serveDiscovery(app: FastifyInstance, { publicUrl, authUrl }: AppDependencies): void {
  const metadata = {
    resource: publicUrl,
    authorization_servers: [authUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Contracts and payroll',
  };
  const paths = new Set(['/.well-known/oauth-protected-resource', new URL(metadataUrlOf(new URL(publicUrl))).pathname]);
  for (const path of paths) {
    app.get(path, async (_request, reply) => {
      // Public, and read by hosts that run in a browser too.
      void reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300');
      return metadata;
    });
  }
}

const HTTP_STATUS: Readonly<Partial<Record<DomainError['code'], number>>> = { NOT_FOUND: 404, INTERNAL_ERROR: 500 };

/** Refusals before any tool, as errors of JSON-RPC. Another `Host` is refused with 403, as other origins are. */
function refusalBeforeProtocol({ code, message }: DomainError, _requestId: string, status?: number): ErrorResponse {
  const refusal = refusalOf(code, message, code === 'INTERNAL_ERROR' ? -32_603 : undefined);
  return { status: status ?? HTTP_STATUS[code] ?? 403, type: 'application/json', body: JSON.stringify(refusal) };
}
