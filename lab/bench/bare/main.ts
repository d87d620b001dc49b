import { fastify } from 'fastify';
import { Pool } from 'pg';
import type { DRAFT } from '../requests.js';
import { admit } from './admit.js';
import { contractOf, createContract, detailOf, type ContractRow } from './contracts.js';
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
const PAGE = 50;

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

/**
 * Takes the page's rows and one more, which shows that there is a next page; `at` is the column of the page's order.
 */
function pageOf<Row extends { id: string }>(rows: readonly Row[], at: keyof Row, shown: (row: Row) => object): object {
  const hasMore = rows.length > PAGE;
  const data = hasMore ? rows.slice(0, PAGE) : rows;
  const last = data.at(-1);
  const nextCursor = hasMore && last ? Buffer.from(JSON.stringify([last[at], last.id])).toString('base64url') : null;
  return { data: data.map(shown), hasMore, nextCursor };
}

interface BalanceRow {
  asOf: string;
  /** Null in the single row of a workspace without money. */
  currency: string | null;
  available: string;
  pending: string;
}

function balancesOf(rows: readonly BalanceRow[]): object {
  const sums = (name: 'available' | 'pending') =>
    rows.flatMap((row) => (row.currency === null ? [] : [{ amount: row[name], currency: row.currency }]));
  return { available: sums('available'), pending: sums('pending'), asOf: rows[0]!.asOf };
}
