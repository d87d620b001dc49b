import { randomUUID } from 'node:crypto';
import { fastify, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import type { DRAFT } from '../paths.js';
import { admit } from './admit.js';
import { approve, page, shown, type TimesheetRow } from './approve.js';
import { note, runnerOf, writeOnce, type Holder } from './write-once.js';

/**
 * What the same answers cost without any of this architecture: one Fastify process and pg, with the same statements, all
 * prepared. It shares no code with the system, on purpose. README.md says what is in and what is not.
 */
const { DATABASE_URL, LISTEN_PORT } = process.env;
/** As many connections as each of our services has. */
const pool = new Pool({ connectionString: DATABASE_URL!, max: 10, options: '-c search_path=bench' });
const run = runnerOf(pool);
const app = fastify();

app.get<{ Params: { id: string } }>('/timesheets/:id', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  const [row] = await run<TimesheetRow>('one', [workspaceId, request.params.id]);
  return shown(row!);
});

app.get('/timesheets', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  return page(await run<TimesheetRow>('list', [workspaceId]));
});

app.post<{ Body: typeof DRAFT }>('/contracts', async (request, reply) => {
  const holder = await admit(run, request, reply, 'writes', 'contracts:write');
  void reply.code(201).type('application/json');
  return await createContract(holder, request);
});

app.post<{ Params: { id: string }; Body: { expectedVersion: string } }>(
  '/timesheets/:id/approve',
  async (request, reply) => {
    const holder = await admit(run, request, reply, 'writes', 'timesheets:write');
    void reply.type('application/json');
    return await approve(pool, holder, request);
  },
);

await app.listen({ host: '127.0.0.1', port: Number(LISTEN_PORT) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));

async function createContract(holder: Holder, request: FastifyRequest<{ Body: typeof DRAFT }>): Promise<string> {
  const { workspaceId, principalId } = holder;
  const { title, employmentType, contractType, startDate, endDate, compensation, invoicingSettings } = request.body;
  const { currency, rate } = compensation;
  return await writeOnce(pool, holder, request, {
    command: 'contract.create-draft',
    status: 201,
    work: async (run, now) => {
      const id = randomUUID();
      const draft = JSON.stringify(request.body);
      await run('contract', [
        ...[workspaceId, id, title, employmentType, contractType, startDate, endDate, currency, rate],
        ...[invoicingSettings.paymentDueDays, draft, principalId, now],
      ]);
      const change = { contractId: id, status: 'draft', currency, rate };
      await note(run, {
        ...{ holder, requestId: request.id, now, subjectId: id, change },
        ...{ type: 'contract.changed', consumer: 'review' },
      });
      const fixed = { status: 'draft', worker: { id: null, name: null }, deletedAt: null };
      return { id, title, employmentType, contractType, startDate, endDate, ...fixed, createdAt: now, updatedAt: now };
    },
  });
}
