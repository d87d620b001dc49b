import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { metrics } from './catalogue.js';
import { onScrape } from './readings.js';

/**
 * Measures what a server answers. `operationOf` names a request by closed words, such as its route as declared; what is
 * of no interest, such as a look at `/livez`, is null.
 */
export function observeRequests(app: FastifyInstance, operationOf: (request: FastifyRequest) => string | null): void {
  if (!metrics.requests.isConnected) return;
  let inFlight = 0;
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight++;
    reply.raw.once('close', () => inFlight--);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const operation = operationOf(request);
    if (operation !== null) {
      metrics.requests.seconds(reply.elapsedTime / 1000, { operation, outcome: outcomeOf(reply) });
    }
    done();
  });
  const reading = onScrape({
    name: 'requests',
    read: () => metrics.requestsInFlight.set({}, inFlight),
    sets: [metrics.requestsInFlight],
  });
  app.addHook('onClose', (_app, done) => {
    reading[Symbol.dispose]();
    done();
  });
}

/** The route as it is declared: paths themselves hold ids. */
export function routeOf({ is404, method, routeOptions: { url = '' } }: FastifyRequest): string | null {
  if (url === '/livez' || url === '/readyz') return null;
  return is404 ? 'unknown' : `${method} ${url}`;
}

function outcomeOf({ raw }: FastifyReply): string {
  if (!raw.writableFinished) return 'abandoned';
  if (raw.statusCode >= 500) return 'failed';
  return raw.statusCode >= 400 ? 'refused' : 'ok';
}
