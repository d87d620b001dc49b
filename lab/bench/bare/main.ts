import { fastify } from 'fastify';
import { Pool } from 'pg';
import type { DRAFT } from '../requests.js';
import { admit } from './admit.js';
import { balancesOf, type BalanceRow } from './balances.js';
import { contractOf, createContract, detailOf, type ContractRow } from './contracts.js';
import { pageOf } from './page.js';
import { approve, timesheetOf, type Approval, type TimesheetRow } from './timesheets.js';
import { runnerOf } from './write-once.js';

/**
 * The cost of the same answers without any of this architecture: one Fastify process and pg, with the same statements,
 * all prepared. It shares no code with the system, on purpose. README.md says what is included and what is not.
 */
const { DATABASE_URL, LISTEN_PORT } = process.env;
/** Each of our services has as many connections. */
const pool = new Pool({ connectionString: DATABASE_URL!, max: 10, options: '-c search_path=bench' });
const run = runnerOf(pool);
const app = fastify();

app.get<{ Params: { id: string } }>('/timesheets/:id', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  const [row] = await run<TimesheetRow>('timesheet', [workspaceId, request.params.id]);
  return timesheetOf(row!);
});

app.get('/timesheets', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  return pageOf(await run<TimesheetRow>('timesheets', [workspaceId]), 'createdAt', timesheetOf);
});

app.get<{ Params: { id: string } }>('/contracts/:id', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  const [row] = await run<ContractRow>('oneContract', [workspaceId, request.params.id]);
  return detailOf(row!);
});

app.get<{ Querystring: { updatedSince: string } }>('/contracts', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  const rows = await run<ContractRow>('changedContracts', [workspaceId, request.query.updatedSince]);
  return pageOf(rows, 'updatedAt', contractOf);
});

app.get('/balances', async (request, reply) => {
  const { workspaceId } = await admit(run, request, reply, 'reads', 'read');
  return balancesOf(await run<BalanceRow>('balances', [workspaceId]));
});

app.post<{ Body: typeof DRAFT }>('/contracts', async (request, reply) => {
  const holder = await admit(run, request, reply, 'writes', 'contracts:write');
  void reply.code(201).type('application/json');
  return await createContract(pool, holder, request);
});

app.post('/timesheets/:id/approve', async (request: Approval, reply) => {
  const holder = await admit(run, request, reply, 'writes', 'timesheets:write');
  void reply.type('application/json');
  return await approve(pool, holder, request);
});

await app.listen({ host: '127.0.0.1', port: Number(LISTEN_PORT) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
