import { createHash } from 'node:crypto';
import { refuseUnknownRoute } from '@payroll/process';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { openApiDocument } from '../openapi/document.js';
import type { QueryText } from '../read-request.js';
import type { ApiDocument } from './document.js';
import { pathOf } from './paths.js';
import { Site, STYLE } from './site.js';

/** Pages load nothing and run nothing; the one form is the search. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** `GET /v1/docs`: the OpenAPI document and the guides as pages to read, for everybody, without internet or script (ADR 0011). */
export function serveReference(
  app: FastifyInstance,
  { publicUrl, mcpUrl }: { publicUrl: string; mcpUrl: string },
): void {
  const site = new Site(openApiDocument(publicUrl) as unknown as ApiDocument, mcpUrl);
  const answer = (reply: FastifyReply, html: string | undefined): FastifyReply =>
    reply
      .code(html === undefined ? 404 : 200)
      .headers(HEADERS)
      .type('text/html; charset=utf-8')
      .send(html ?? site.missing());

  // For people who open the address of the API: browsers ask for HTML by name, programs do not.
  app.get('/', async ({ headers }, reply) => {
    if (!headers.accept?.includes('text/html')) refuseUnknownRoute();
    return await reply.header('Vary', 'Accept').redirect(pathOf(''));
  });
  app.get(pathOf(''), (_request, reply) => answer(reply, site.page(pathOf(''))));
  app.get(pathOf('search'), ({ query }, reply) =>
    answer(reply, site.search((query as QueryText).parameters['q'] ?? '')),
  );
  app.get<{ Params: { '*': string } }>(pathOf('*'), async ({ params }, reply) => {
    if (params['*'] === '') return await reply.redirect('../docs', 308);
    return answer(reply, site.page(pathOf(params['*'])));
  });
}
