import cors from '@fastify/cors';
import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { refusalOf } from '../protocol/rpc-error.js';

/**
 * Against web pages that make a browser call us under another name (DNS rebinding): only our own host name, and only
 * origins that are named. Programs send no origin and pass.
 */
export async function guardOrigins(
  app: FastifyInstance,
  publicUrl: string,
  allowedOrigins: readonly string[],
): Promise<void> {
  const { hostname } = new URL(publicUrl);
  const isLocal = localhostAllowedHostnames().includes(hostname);
  const hosts = isLocal ? localhostAllowedHostnames() : [hostname];
  const origins = [...hosts, ...allowedOrigins];
  app.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers;
    if (!validateHostHeader(host, hosts).ok) return reply.code(403).send(STRANGE_HOST);
    if (!validateOriginHeader(origin, origins).ok) return reply.code(403).send(STRANGE_ORIGIN);
    return done();
  });
  // Whoever gets here has passed the check above.
  await app.register(cors, {
    origin: true,
    // Else it answers what is no preflight in a text of its own.
    strictPreflight: false,
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: ['mcp-session-id', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}

const STRANGE_HOST = refusalOf('INVALID_REQUEST', 'The Host header does not name this server.');
const STRANGE_ORIGIN = refusalOf('INVALID_REQUEST', 'Pages of this origin may not call this server.');
