import type { FastifyInstance } from 'fastify';

/** `/livez`: the process answers. `/readyz`: so does what it needs. */
export function health(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get('/livez', () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const ready = await request.deadline.race(isReady().catch(() => false));
    return await reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });
}
