import fastifyStatic from '@fastify/static';
import { getDistDirectory, renderAltair } from 'altair-static';
import type { FastifyInstance } from 'fastify';

const PATH = '/explorer/';

/**
 * A page to write queries in, with the schema's documentation beside them. It needs no internet, and sees nothing that
 * the token typed into it does not open (ADR 0006).
 */
export async function serveExplorer(server: FastifyInstance): Promise<void> {
  const page = renderAltair({
    baseURL: PATH,
    endpointURL: '/graphql',
    initialHeaders: {
      Authorization: 'Bearer <a token: npm run token -- --help>',
      'x-workspace-id': '<the workspace>',
      'x-reason': '<why you look at it>',
    },
    initialQuery: '{ contracts(limit: 10) { nodes { title status worker { name } } } }',
    disableAccount: true,
    // No adverts and no news from outside.
    initialSettings: {
      'banners.disable': true,
      'alert.disableUpdateNotification': true,
      disablePushNotification: true,
    },
  });
  await server.register(fastifyStatic, { root: getDistDirectory(), prefix: PATH, index: false });
  server.get(PATH, (_request, reply) => reply.type('text/html').send(page));
  server.get('/', (_request, reply) => reply.redirect(PATH));
}
