import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { refuseUnknownRoute } from '@payroll/process';
import type { FastifyInstance } from 'fastify';

const PAGE = '/v1/docs';

/** All it loads comes from here; nothing may be framed, sent or run inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

const OURS = ['start.js', 'for-reading.js', 'contents.js', 'page.css'];
const OF_SWAGGER_UI = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** `GET /v1/docs`: the OpenAPI document as a page to read, for everybody, without internet (ADR 0011). */
export async function serveReference(app: FastifyInstance): Promise<void> {
  const ours = fileURLToPath(new URL('../../reference/', import.meta.url));
  const page = readFileSync(`${ours}index.html`);
  const swaggerUi = dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/swagger-ui.css')));
  app.get(PAGE, async (_request, reply) => await reply.headers(HEADERS).type('text/html; charset=utf-8').send(page));
  // For people who open the address of the API: browsers ask for HTML by name, programs do not.
  app.get('/', async ({ headers }, reply) => {
    if (!headers.accept?.includes('text/html')) refuseUnknownRoute();
    return await reply.header('Vary', 'Accept').redirect(PAGE);
  });
  app.get(`${PAGE}/`, async (_request, reply) => await reply.redirect('../docs', 308));
  await app.register(fastifyStatic, {
    root: [ours, swaggerUi],
    prefix: `${PAGE}/`,
    index: false,
    cacheControl: false,
    allowedPath: (path) => [...OURS, ...OF_SWAGGER_UI].includes(path.slice(1)),
    setHeaders: (reply) => void reply.headers(HEADERS),
  });
}
