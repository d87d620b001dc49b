import { fastify } from 'fastify';
import { admit } from './admit.js';
import { approve } from './approve.js';
import { createContract } from './create-contract.js';
import { openPool, runnerOf } from './database.js';
import { LIST, ONE, page, shown, type TimesheetRow } from './timesheets.js';

/**
 * What the same answers cost without any of this architecture: one Fastify process and pg, with the same statements, all
 * prepared. It shares no code with the system, on purpose. README.md says what is in and what is not.
 */
const { DATABASE_URL, LISTEN_PORT } = process.env;
const pool = openPool(DATABASE_URL!);
const run = runnerOf(pool);
const app = fastify();
const reads = { limit: 'reads', scope: 'read' } as const;

app.get<{ Params: { id: string } }>('/timesheets/:id', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, reads);
  const [row] = await run<TimesheetRow>(ONE, [workspaceId, request.params.id]);
  return shown(row!);
});

app.get('/timesheets', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, reads);
  return page(await run<TimesheetRow>(LIST, [workspaceId]));
});

app.post<{ Body: Parameters<typeof createContract>[2]['body'] }>('/contracts', async (request, reply) => {
  const holder = await admit(run, request, reply, { limit: 'writes', scope: 'contracts:write' });
  void reply.code(201).type('application/json');
  return await createContract(pool, holder, request);
});

app.post<{ Params: { id: string }; Body: { expectedVersion: string } }>(
  '/timesheets/:id/approve',
  async (request, reply) => {
    const holder = await admit(run, request, reply, { limit: 'writes', scope: 'timesheets:write' });
    void reply.type('application/json');
    return await approve(pool, holder, request);
  },
);

await app.listen({ host: '127.0.0.1', port: Number(LISTEN_PORT) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
