import { createHash, randomUUID } from 'node:crypto';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { Pool } from 'pg';
import type { DRAFT } from '../requests.js';
import { type Holder, audit, inTransaction, note, runnerOf, writeOnce } from './write-once.js';

/**
 * The cost of the same answers without any of this architecture: one Fastify process and pg, with the same statements,
 * all prepared. It shares no code with the system, on purpose. README.md says what is included and what is not.
 */
const { DATABASE_URL, LISTEN_PORT } = process.env;
/** Each of our services has as many connections. */
const pool = new Pool({ connectionString: DATABASE_URL!, max: 10, options: '-c search_path=bench' });
const query = runnerOf(pool);
const app = fastify();
const PAGE = 50;
const QUOTAS = { reads: 600, writes: 60 };

app.get<{ Params: { id: string } }>('/timesheets/:id', async (request, reply) => {
  const { workspaceId } = await admit(request, reply, 'reads', 'read');
  const [row] = await query<TimesheetRow>('timesheet', [workspaceId, request.params.id]);
  return timesheetOf(row!);
});

app.get('/timesheets', async (request, reply) => {
  const { workspaceId } = await admit(request, reply, 'reads', 'read');
  return pageOf(await query<TimesheetRow>('timesheets', [workspaceId]), 'createdAt', timesheetOf);
});

app.get<{ Params: { id: string } }>('/contracts/:id', async (request, reply) => {
  const { workspaceId } = await admit(request, reply, 'reads', 'read');
  const [row] = await query<ContractRow>('oneContract', [workspaceId, request.params.id]);
  return detailOf(row!);
});

app.get<{ Querystring: { updatedSince: string } }>('/contracts', async (request, reply) => {
  const { workspaceId } = await admit(request, reply, 'reads', 'read');
  const rows = await query<ContractRow>('changedContracts', [workspaceId, request.query.updatedSince]);
  return pageOf(rows, 'updatedAt', contractOf);
});

app.get('/balances', async (request, reply) => {
  const { workspaceId } = await admit(request, reply, 'reads', 'read');
  return balancesOf(await query<BalanceRow>('balances', [workspaceId]));
});

app.post<{ Body: typeof DRAFT }>('/contracts', async (request, reply) => {
  const holder = await admit(request, reply, 'writes', 'contracts:write');
  void reply.code(201).type('application/json');
  return await createContract(holder, request);
});

app.post('/timesheets/:id/approve', async (request: Approval, reply) => {
  const holder = await admit(request, reply, 'writes', 'timesheets:write');
  void reply.type('application/json');
  return await approve(holder, request);
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

interface KeyHolder extends Holder {
  role: string;
  scopes: string[];
  integrationEnabled: boolean;
  writesEnabled: boolean;
  principalUsed: number;
  workspaceUsed: number;
}

/** Admits a request by its API key. @throws Error if the key is not admitted */
async function admit(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  limit: keyof typeof QUOTAS,
  scope: string,
): Promise<Holder> {
  const [holder] = await query<KeyHolder>('admit', [headers['x-key-id'], hashOf(headers), limit]);
  if (!holder?.scopes.includes(scope) || !holder.integrationEnabled) throw new Error('not let in');
  if (limit === 'writes' && (!holder.writesEnabled || holder.role === 'viewer')) throw new Error('not let in');
  const left = Math.min(QUOTAS[limit] - holder.principalUsed, 2000 - holder.workspaceUsed);
  void reply.header('RateLimit', `"${limit}";r=${left}`);
  if (left < 0) throw new Error('too many requests');
  return holder;
}

function hashOf(headers: FastifyRequest['headers']): string {
  return createHash('sha256').update(String(headers['x-key-proof'])).digest('base64url');
}

/** The columns that the code reads by name; the others are only shown. */
type TimesheetRow = Record<
  'id' | 'contractId' | 'status' | 'paymentScheduledDate' | 'rate' | 'total' | 'currency' | 'version' | 'createdAt',
  string
>;

function timesheetOf({ rate, total, currency, ...row }: TimesheetRow): object {
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency } };
}

type Approval = FastifyRequest<{ Params: { id: string }; Body: { expectedVersion: string } }>;

/** The approval, then the work of payments that precedes the answer, in the same transactions as in the system. */
async function approve(holder: Holder, request: Approval): Promise<string> {
  const { workspaceId } = holder;
  const { id } = request.params;
  const paymentId = randomUUID();
  const about = { holder, requestId: request.id, subjectId: paymentId };
  let approved: { row: TimesheetRow; eventId: string } | undefined;
  const answer = await writeOnce(pool, holder, request, {
    command: 'timesheet.approve',
    work: async (run, now) => {
      const [found] = await run<TimesheetRow>('lock', [workspaceId, id]);
      if (found?.version !== request.body.expectedVersion || found.status !== 'submitted') throw new Error('refused');
      const [row] = await run<TimesheetRow>('approve', [workspaceId, id, paymentId, now]);
      const change = { ...about, now, type: 'timesheet.approved', change: row!, consumer: 'payments' };
      approved = { row: row!, eventId: await note(run, change) };
      return timesheetOf(row!);
    },
  });
  const { row, eventId } = approved!;
  await inTransaction(pool, workspaceId, async (run, now) => {
    await run('applyEvent', [eventId, workspaceId, now]);
    const { contractId, currency, total, paymentScheduledDate } = row;
    await run('payment', [workspaceId, paymentId, contractId, id, currency, total, paymentScheduledDate, now]);
    await audit(run, { ...about, now, type: 'payment.created', change: { currency, total } });
  });
  await query('confirm', [eventId]);
  return answer;
}

/** The columns that the code reads by name; the others are only shown. */
type ContractRow = Record<'id' | 'updatedAt', string> &
  Record<'workerId' | 'workerName', string | null> & { creator: object | null };

/** The fields of a detail; a list leaves the creator's terms out. */
function detailOf({ workerId, workerName, ...row }: ContractRow) {
  return { ...row, worker: { id: workerId, name: workerName } };
}

function contractOf(row: ContractRow): object {
  const { creator: _creator, ...shown } = detailOf(row);
  return shown;
}

async function createContract(holder: Holder, request: FastifyRequest<{ Body: typeof DRAFT }>): Promise<string> {
  const { workspaceId, principalId } = holder;
  const { title, employmentType, contractType, startDate, endDate, compensation, invoicingSettings } = request.body;
  const { currency, rate } = compensation;
  return await writeOnce(pool, holder, request, {
    command: 'contract.create-draft',
    work: async (run, now) => {
      const id = randomUUID();
      const draft = JSON.stringify(request.body);
      await run('contract', [
        ...[workspaceId, id, title, employmentType, contractType, startDate, endDate, currency, rate],
        ...[invoicingSettings.paymentDueDays, draft, principalId, now],
      ]);
      const change = { contractId: id, status: 'draft', currency, rate };
      await audit(run, { holder, requestId: request.id, now, type: 'contract.draft-created', subjectId: id, change });
      const fixed = { status: 'draft', worker: { id: null, name: null }, deletedAt: null };
      return { id, title, employmentType, contractType, startDate, endDate, ...fixed, createdAt: now, updatedAt: now };
    },
  });
}
