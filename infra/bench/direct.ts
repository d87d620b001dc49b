import { createHash, randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import { Pool } from 'pg';

/**
 * What the same answers cost without any of this architecture: one Fastify process that checks the key and reads or
 * writes the same rows by prepared statements. It shares no code with the system, on purpose.
 */
const { DATABASE_URL, LISTEN_PORT } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: 10 });
const app = fastify();

const KEY_CHECK = `select k.workspace_id, k.principal_id, m.role from workspaces.api_key k
  join workspaces.membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
  where k.id = $1 and k.secret_hash = $2 and k.revoked_at is null and k.expires_at > now()`;
const COLUMNS = `id, contract_id as "contractId", status, period_start::text as "periodStart", period_end::text as "periodEnd",
  units_worked as "unitsWorked", rate, total, currency, payment_scheduled_date::text as "paymentScheduledDate",
  auto_pay_enabled as "autoPayEnabled", payment_id as "paymentId", created_at::text as "createdAt",
  updated_at::text as "updatedAt", revision::text as version`;
const ONE = `select ${COLUMNS} from review.timesheet where workspace_id = $1 and id = $2`;
const LIST = `select ${COLUMNS} from review.timesheet where workspace_id = $1 order by created_at desc, id desc limit 51`;

interface Holder {
  workspace_id: string;
  principal_id: string;
}

/** The bench names the key's row; finding it from the key's text is not what is measured. */
async function holder(headers: Record<string, unknown>): Promise<Holder> {
  const { rows } = await pool.query<Holder>({
    name: 'key',
    text: KEY_CHECK,
    values: [headers['x-key-id'], headers['x-key-hash']],
  });
  return rows[0]!;
}

app.get<{ Params: { id: string } }>('/timesheets/:id', async (request) => {
  const { workspace_id } = await holder(request.headers);
  const { rows } = await pool.query({ name: 'one', text: ONE, values: [workspace_id, request.params.id] });
  return shape(rows[0] as Row);
});

app.get('/timesheets', async (request) => {
  const { workspace_id } = await holder(request.headers);
  const { rows } = await pool.query({ name: 'list', text: LIST, values: [workspace_id] });
  return { data: (rows as Row[]).slice(0, 50).map(shape), hasMore: rows.length > 50, nextCursor: null };
});

interface Row {
  rate: string;
  total: string;
  currency: string;
}

function shape({ rate, total, currency, ...row }: Row): object {
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency } };
}

app.post<{ Params: { id: string } }>('/timesheets/:id/approve', async (request) => {
  const { workspace_id, principal_id } = await holder(request.headers);
  const { id } = request.params;
  const key = String(request.headers['idempotency-key']);
  const client = await pool.connect();
  const run = (text: string, values: unknown[]) =>
    client.query<Row>({ name: createHash('md5').update(text).digest('hex'), text, values });
  try {
    await run(`insert into bench.claim values ($1, $2, $3)`, [principal_id, key, randomUUID()]);
    await run('begin', []);
    await run(`update review.change_clock set last = clock_timestamp() where workspace_id = $1`, [workspace_id]);
    await run(`select * from review.timesheet where workspace_id = $1 and id = $2 for update`, [workspace_id, id]);
    const { rows } = await run(
      `update review.timesheet set status = 'approved', revision = revision + 1, payment_id = $3, updated_at = now()
       where workspace_id = $1 and id = $2 and status = 'submitted' returning ${COLUMNS}`,
      [workspace_id, id, randomUUID()],
    );
    await run(`insert into bench.audit values ($1, $2)`, [id, '{}']);
    await run(`insert into bench.payment values ($1, $2)`, [id, randomUUID()]);
    await run('commit', []);
    await run(`update bench.claim set answer = $3 where principal_id = $1 and key = $2`, [principal_id, key, '{}']);
    return shape(rows[0]!);
  } finally {
    client.release();
  }
});

await app.listen({ host: '127.0.0.1', port: Number(LISTEN_PORT) });
process.once('SIGTERM', () => void app.close().then(() => pool.end()));
