import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';

export const CONTRACT_ID = '0199f000-0000-7000-8000-00000000000a';
export const TIMESHEET_ID = '0199f000-0000-7000-8000-00000000000b';
export const MILESTONE_ID = '0199f000-0000-7000-8000-00000000000c';

/** `json`: an answer with exactly this body. */
type Trouble = { status: number; retryAfter?: string; html?: string; json?: string } | 'cut' | 'hang';

/**
 * Replaces `/v1` in tests of the protocol: one timesheet, one milestone and one contract, with real versions and
 * idempotency. tests/system tests the whole chain against the real one.
 */
export async function startFakeFacade() {
  /** Applied writes; a replay adds none. */
  const writes: { path: string; key: string; body: Record<string, unknown> }[] = [];
  const troubles: Trouble[] = [];
  const answered = new Map<string, { body: string; answer: object }>();
  const state = { version: '1', status: 'submitted', revoked: false, title: 'Site work', requests: 0, lastUrl: '' };
  const app = fastify();
  app.addHook('onRequest', async (request, reply) => {
    state.requests++;
    state.lastUrl = request.url;
    const trouble = troubles.shift();
    if (trouble === 'cut') request.raw.socket.destroy();
    if (trouble === 'hang' || trouble === 'cut') return await new Promise(() => {});
    if (trouble) {
      if (trouble.html) return reply.type('text/html').send(trouble.html);
      if (trouble.json) return reply.type('application/json').send(trouble.json);
      if (trouble.retryAfter) void reply.header('retry-after', trouble.retryAfter);
      return refuse(reply, trouble.status, trouble.status === 429 ? 'RATE_LIMITED' : 'SERVICE_UNAVAILABLE');
    }
    if (state.revoked) return refuse(reply, 401, 'INVALID_CREDENTIAL');
    return;
  });
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
  const contract = () => ({
    id: CONTRACT_ID,
    title: state.title,
    employmentType: 'contractor',
    contractType: 'contractor_payg',
    status: 'active',
    worker: { id: CONTRACT_ID, name: 'Ada Worker' },
    startDate: null,
    endDate: null,
    ...times,
    deletedAt: null,
    creator: null,
  });
  const work = () => ({
    contractId: CONTRACT_ID,
    status: state.status,
    paymentId: null,
    ...times,
    version: state.version,
  });
  const timesheet = () => ({
    id: TIMESHEET_ID,
    ...work(),
    periodStart: '2026-01-01',
    periodEnd: '2026-01-31',
    unitsWorked: '160',
    rate: { amount: '12.50', currency: 'EUR' },
    total: { amount: '2000.00', currency: 'EUR' },
    paymentScheduledDate: '2026-02-14',
    autoPayEnabled: true,
  });
  const milestone = () => ({
    id: MILESTONE_ID,
    ...work(),
    title: 'First part',
    description: null,
    amount: { amount: '900', currency: 'USD' },
    dueDate: '2026-03-01',
    paymentDate: null,
  });
  const page = (item: object) => ({ data: [item], hasMore: false, nextCursor: null });
  const reads: Record<string, () => object> = {
    '/v1/business': () => ({ id: CONTRACT_ID, name: 'Acme', country: 'DE', kybStatus: 'verified', ...times }),
    '/v1/contracts': () => page((({ creator: _creator, ...summary }) => summary)(contract())),
    '/v1/contracts/:id': contract,
    '/v1/contracts/:id/milestones': () => page(milestone()),
    '/v1/timesheets': () => page(timesheet()),
    '/v1/timesheets/:id': timesheet,
    '/v1/milestones/:id': milestone,
    '/v1/balances': () => ({
      available: [{ amount: '1', currency: 'EUR' }],
      pending: [],
      asOf: '2026-01-01T00:00:00Z',
    }),
  };
  for (const [path, read] of Object.entries(reads)) app.get(path, () => read());
  app.get('/v1/payments', () => ({ data: [], hasMore: false, nextCursor: null }));
  app.get('/v1/payments/:id', (_request, reply) => refuse(reply, 404, 'NOT_FOUND'));

  const write = (what: () => object) => (request: FastifyRequest, reply: FastifyReply) => {
    const key = String(request.headers['idempotency-key']);
    const body = request.body as Record<string, unknown>;
    const before = answered.get(key);
    if (before)
      return before.body === JSON.stringify(body) ? before.answer : refuse(reply, 409, 'IDEMPOTENCY_KEY_REUSED');
    if ('expectedVersion' in body && body['expectedVersion'] !== state.version) {
      return refuse(reply, 409, 'STALE_RESOURCE_VERSION');
    }
    writes.push({ path: request.url, key, body });
    const answer = what();
    answered.set(key, { body: JSON.stringify(body), answer });
    if ('expectedVersion' in body) Object.assign(state, { version: String(Number(state.version) + 1) });
    return answer;
  };
  app.post(
    '/v1/contracts',
    write(() => ({ ...(({ creator: _creator, ...summary }) => summary)(contract()), status: 'draft' })),
  );
  for (const decided of ['approve', 'reject']) {
    app.post(`/v1/timesheets/:id/${decided}`, write(timesheet));
    app.post(`/v1/milestones/:id/${decided}`, write(milestone));
  }
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    writes,
    state,
    /** The faults of the next requests, one each. */
    troubles,
    async [Symbol.asyncDispose]() {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

export type FakeFacade = Awaited<ReturnType<typeof startFakeFacade>>;

function refuse(reply: FastifyReply, status: number, code: string) {
  const error = { type: 'conflict', code, message: `refused: ${code}`, status, requestId: randomUUID() };
  return reply.code(status).send({ error });
}
