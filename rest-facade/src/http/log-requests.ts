import { levelOfAnswer, type Log } from '@payroll/process';
import type { FastifyInstance } from 'fastify';

/** One line per answer. The route, not the path or the query: those hold ids and references. Never a body or a header. */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { actor } = request.admitted?.origin ?? {};
    log[levelOfAnswer(reply.statusCode)](
      {
        requestId: request.id,
        method: request.method,
        route: request.is404 ? null : request.routeOptions.url,
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
        workspaceId: actor?.workspaceId,
        principalId: actor?.principalId,
      },
      'answered',
    );
    done();
  });
}
