import cors from '@fastify/cors';
import { hostHeaderValidation, originValidation } from '@modelcontextprotocol/fastify';
import { localhostAllowedHostnames } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';

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
  app.addHook('onRequest', hostHeaderValidation(hosts));
  app.addHook('onRequest', originValidation(origins));
  // Whoever gets here has passed the check above.
  await app.register(cors, {
    origin: true,
    methods: ['GET', 'POST', 'DELETE'],
    exposedHeaders: ['mcp-session-id', 'www-authenticate', 'x-request-id'],
    maxAge: 600,
  });
}
