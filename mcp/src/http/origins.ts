import cors from '@fastify/cors';
import { localhostAllowedHostnames, validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import { refusalOf } from '../protocol/rpc-errors.js';

/** Only pages of our own host and of named origins may call. Programs send no `Origin` and pass. */
export async function guardOrigins(
  app: FastifyInstance,
  publicUrl: string,
  allowedOrigins: readonly string[],
): Promise<void> {
  const { hostname } = new URL(publicUrl);
  const isLocal = localhostAllowedHostnames().includes(hostname);
  const origins = [...(isLocal ? localhostAllowedHostnames() : [hostname]), ...allowedOrigins];
  const refusal = refusalOf('INVALID_REQUEST', 'Pages of this origin may not call this server.');
  app.addHook('onRequest', ({ headers }, reply, done) => {
    if (!validateOriginHeader(headers.origin, origins).ok) return reply.code(403).send(refusal);
    return done();
  });
  // The check above has been passed.
  await app.register(cors, {
    origin: true,
    // Otherwise the plugin answers requests that are no preflight with a text of its own.
    strictPreflight: false,
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: ['mcp-session-id', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}
