import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import cors from '@fastify/cors';
import {
  getOAuthProtectedResourceMetadataUrl as metadataUrlOf,
  localhostAllowedHostnames,
  validateOriginHeader,
  type AuthInfo,
} from '@modelcontextprotocol/server';
import type { ConnectionAdmission } from '@payroll/admission';
import { DomainError, parseJson } from '@payroll/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse, type McpEndpoint } from './protocol/endpoint.js';
import { refusalOf } from './protocol/rpc-errors.js';
import { authInfoOf } from './caller.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission, before a message is read; or why a caller with a valid token is refused. */
    admitted: AuthInfo | DomainError;
  }
}

export interface MessageDependencies {
  admission: ConnectionAdmission;
  endpoint: McpEndpoint;
  publicUrl: string;
  allowedOrigins: readonly string[];
}

const METHODS = ['GET', 'POST', 'DELETE'];
const OTHER_METHOD = refusalOf('INVALID_REQUEST', 'This address takes POST, and within a session GET and DELETE.');
const OTHER_ORIGIN = refusalOf('INVALID_REQUEST', 'Pages of this origin may not call this server.');

/** The address that messages are sent to. */
export async function serveMessages(app: FastifyInstance, parts: MessageDependencies): Promise<void> {
  const { admission, publicUrl } = parts;
  await guardOrigins(app, parts);
  const url = new URL(publicUrl).pathname;
  app.route({
    method: app.supportedMethods.filter((method) => ![...METHODS, 'OPTIONS'].includes(method)),
    url,
    handler: (_request, reply) => reply.code(405).header('allow', METHODS.join(', ')).send(OTHER_METHOD),
  });
  await app.register(async (messages) => {
    // Accept any content type: the protocol has its own errors for invalid messages.
    messages.removeAllContentTypeParsers();
    messages.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, text, done) =>
      done(null, parseJson(text)),
    );
    messages.decorateRequest('admitted');
    messages.route({
      method: METHODS,
      url,
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        const found = await authenticate(admission, publicUrl, request, reply);
        if (!found) return reply;
        request.admitted = found;
        return;
      },
      handler: (request, reply) => handleMessage(parts, request, reply),
    });
  });
}

/** Only pages of our own host and of named origins may call. Programs send no `Origin` and pass. */
async function guardOrigins(app: FastifyInstance, { publicUrl, allowedOrigins }: MessageDependencies): Promise<void> {
  const { hostname } = new URL(publicUrl);
  const isLocal = localhostAllowedHostnames().includes(hostname);
  const origins = [...(isLocal ? localhostAllowedHostnames() : [hostname]), ...allowedOrigins];
  app.addHook('onRequest', ({ headers }, reply, done) => {
    if (!validateOriginHeader(headers.origin, origins).ok) return reply.code(403).send(OTHER_ORIGIN);
    return done();
  });
  // The check above has been passed.
  await app.register(cors, {
    origin: true,
    // Otherwise the plugin answers other OPTIONS requests with its own text.
    strictPreflight: false,
    methods: METHODS,
    exposedHeaders: ['mcp-session-id', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}

/**
 * Who holds the token, by admission; undefined when the request was answered with a refusal or a challenge. A refusal of who is
 * known is returned: its form depends on the message, which is not read yet.
 */
async function authenticate(
  admission: ConnectionAdmission,
  publicUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthInfo | DomainError | undefined> {
  const token = bearerOf(request.headers.authorization);
  try {
    if (token === null) throw new DomainError('INVALID_CREDENTIAL', whyNoToken(request.headers.authorization));
    return authInfoOf(token, await admission.admit(token, { clientAddress: request.ip }), request.ip);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, retryAfterSeconds } = error;
    const status = STATUS[code];
    if (status === undefined) return error;
    if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
    // RFC 6750: no error without a credential; RFC 9728: where to find who issues one.
    const challenge = `Bearer resource_metadata="${metadataUrlOf(new URL(publicUrl))}"${token === null ? '' : INVALID_TOKEN}`;
    if (status === 401) void reply.header('www-authenticate', challenge);
    void reply.code(status).send(refusalOf(code, message, -32_001));
    return undefined;
  }
}

const INVALID_TOKEN = ', error="invalid_token", error_description="The access token is invalid or has expired."';

const STATUS: Readonly<Partial<Record<DomainError['code'], number>>> = {
  INVALID_CREDENTIAL: 401,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
};

function whyNoToken(authorization: string | undefined): string {
  if (authorization === undefined) return 'Sign in to use this server.';
  return 'The header Authorization must be "Bearer" and an access token: sign in to get one.';
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** Passes a message to the endpoint and the answer to the host. */
async function handleMessage(
  { endpoint, publicUrl }: MessageDependencies,
  { raw: { method, headers }, body, admitted }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  // Without its body, which is read already.
  const request = new Request(publicUrl, {
    method: method!,
    headers: headers as Record<string, string>,
    signal: gone.signal,
  });
  const isRefused = admitted instanceof DomainError;
  const response = isRefused ? refuse(admitted, body) : await endpoint.answer({ request, body, authInfo: admitted });
  reply.hijack();
  await send(response, reply);
  return reply;
}

/**
 * Replaces the SDK's helper, which delays the headers of a stream and notices a disconnected reader only at the next event.
 */
async function send({ status, headers, body }: Response, reply: FastifyReply): Promise<void> {
  const { raw } = reply;
  // Whether a connection is kept is up to Node, which closes it when the process drains; the SDK always keeps it.
  if (headers.get('connection') === 'keep-alive') headers.delete('connection');
  raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...Object.fromEntries(headers) });
  raw.flushHeaders();
  // A host may disconnect before the end of its answer.
  if (body) await pipeline(Readable.fromWeb(body), raw).catch(() => undefined);
  else raw.end();
}
