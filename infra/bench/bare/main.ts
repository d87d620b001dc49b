import { randomUUID } from 'node:crypto';
import { fastify, type FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { admit } from './admit.js';
import { approve, LIST, ONE, page, shown, type TimesheetRow } from './approve.js';
import { note, openPool, runnerOf, writeOnce, type Prepared, type Holder } from './write-once.js';

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

interface Draft {
  title: string;
  employmentType: string;
  contractType: string;
  startDate: string;
  endDate: string;
  compensation: { currency: string; rate: number };
  invoicingSettings: { paymentDueDays: number };
}

const INSERT: Prepared = {
  name: 'contract',
  text: `insert into contract (workspace_id, id, revision, title, employment_type, contract_type, status, start_date,
      end_date, currency, rate, payment_due_days, auto_pay_enabled, timesheet_approval_required, draft,
      created_by_principal, created_at, updated_at)
    values ($1, $2, 1, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, true, true, $11, $12, $13, $13)`,
};

export async function createContract(
  pool: Pool,
  holder: Holder,
  request: FastifyRequest<{ Body: Draft }>,
): Promise<string> {
  const { workspaceId, principalId } = holder;
  const { title, employmentType, contractType, startDate, endDate, compensation, invoicingSettings } = request.body;
  const { currency, rate } = compensation;
  return await writeOnce(pool, holder, request, {
    command: 'contract.create-draft',
    status: 201,
    work: async (run, now) => {
      const id = randomUUID();
      const draft = JSON.stringify(request.body);
      await run(INSERT, [
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
