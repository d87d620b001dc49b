import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool, PoolClient, QueryResultRow } from 'pg';

/** The principal and its workspace. */
export interface Holder {
  workspaceId: string;
  principalId: string;
}

export type Run = <Row extends QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values?: readonly unknown[],
) => Promise<Row[]>;

export function runnerOf(on: Pool | PoolClient): Run {
  return async (name, values = []) =>
    (await on.query({ name, text: STATEMENTS[name], values: [...values] })).rows as never;
}

interface Change {
  holder: Holder;
  requestId: string;
  now: string;
  type: string;
  subjectId: string;
  change: object;
}

/** The audit row of a change. */
export async function audit(run: Run, { holder, requestId, now, type, subjectId, change }: Change): Promise<void> {
  const { workspaceId, principalId } = holder;
  const text = JSON.stringify(change);
  await run('audit', [randomUUID(), workspaceId, now, principalId, requestId, type, subjectId, text]);
}

/** The audit row and the outbox row of a change. @returns the event's id */
export async function note(run: Run, { consumer, ...change }: Change & { consumer: string }): Promise<string> {
  const { holder, now, type, subjectId } = change;
  const eventId = randomUUID();
  await audit(run, change);
  await run('emit', [eventId, holder.workspaceId, type, subjectId, JSON.stringify(change.change), now, [consumer]]);
  return eventId;
}

interface Work {
  command: string;
  work: (run: Run, now: string) => Promise<object>;
}

/** The idempotency key's row, then the transaction with clock, applied operation and outcome. @returns the answer's text */
export async function writeOnce(
  pool: Pool,
  { workspaceId, principalId }: Holder,
  request: FastifyRequest,
  { command, work }: Work,
): Promise<string> {
  const operationId = randomUUID();
  const fingerprint = fingerprintOf(request);
  await runnerOf(pool)('register', [principalId, request.headers['idempotency-key'], fingerprint]);
  return await inTransaction(pool, workspaceId, async (run, now) => {
    await run('apply', [workspaceId, principalId, operationId, command, fingerprint, now]);
    const result = JSON.stringify(await work(run, now));
    await run('outcome', [workspaceId, principalId, operationId, result]);
    return result;
  });
}

function fingerprintOf({ body }: FastifyRequest): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}

/** Runs the work at `now`, the time to which it has moved the workspace's clock. */
export async function inTransaction<T>(
  pool: Pool,
  workspaceId: string,
  work: (run: Run, now: string) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const run = runnerOf(client);
  try {
    await run('begin');
    const [clock] = await run<{ now: string }>('clock', [workspaceId]);
    const result = await work(run, clock!.now);
    await run('commit');
    return result;
  } catch (error) {
    await run('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const counter = (subject: string) => `
  insert into rate_counter as c (subject, window_started_at, used) select ${subject}, now(), 1 from known
  on conflict (subject) do update set
    used = case when c.window_started_at <= now() - interval '60 s' then 0 else least(c.used, 1000000) end + 1,
    window_started_at = case when c.window_started_at <= now() - interval '60 s' then now() else c.window_started_at end
  returning used`;

const TIMESHEET = `id, contract_id as "contractId", status, period_start::text as "periodStart",
  period_end::text as "periodEnd", units_worked as "unitsWorked", rate, total, currency,
  payment_scheduled_date::text as "paymentScheduledDate", auto_pay_enabled as "autoPayEnabled",
  payment_id as "paymentId", created_at::text as "createdAt", updated_at::text as "updatedAt", revision::text as version`;

const CONTRACT = `id, title, employment_type as "employmentType", contract_type as "contractType", status,
  worker_id as "workerId", start_date::text as "startDate", end_date::text as "endDate", created_at::text as "createdAt",
  updated_at::text as "updatedAt", deleted_at::text as "deletedAt", creator, (
    select name from worker where worker.workspace_id = contract.workspace_id and worker.id = contract.worker_id
  ) as "workerName"`;

/** By name; Postgres parses and plans each once per connection. */
const STATEMENTS = {
  /** Reads the key's holder and increments both counters in one statement, as our admission does for many keys. */
  admit: `with known as (
    select k.workspace_id, k.principal_id, k.scopes, m.role, b.integration_enabled, b.writes_enabled
    from api_key k
    join membership m on m.workspace_id = k.workspace_id and m.id = k.membership_id and m.left_at is null
    join business b on b.id = k.workspace_id
    where k.id = $1 and k.secret_hash = $2 and k.revoked_at is null and k.expires_at > now()
  ), principal as (${counter(`$3::text || '/' || principal_id`)}
  ), workspace as (${counter(`'workspace/' || workspace_id`)})
  select known.workspace_id as "workspaceId", known.principal_id as "principalId", known.role, known.scopes,
    known.integration_enabled as "integrationEnabled", known.writes_enabled as "writesEnabled",
    principal.used as "principalUsed", workspace.used as "workspaceUsed"
  from known, principal, workspace`,
  timesheet: `select ${TIMESHEET} from timesheet where workspace_id = $1 and id = $2`,
  /** Reads one row more than the page shows, to know whether there is a next page. */
  timesheets: `select ${TIMESHEET} from timesheet where workspace_id = $1 order by created_at desc, id desc limit 51`,
  oneContract: `select ${CONTRACT} from contract where workspace_id = $1 and id = $2`,
  changedContracts: `select ${CONTRACT} from contract
    where workspace_id = $1 and deleted_at is null and updated_at >= $2::timestamptz
    order by updated_at, id limit 51`,
  /** A workspace without money has one row, which only contains the time of reading. */
  balances: `select statement_timestamp()::text as "asOf", totals.currency, totals.available, totals.pending
    from (select) asked left join (
      select currency, sum(available) as available, sum(pending) as pending
      from (
        select currency, balance as available, 0 as pending from ledger_account
        where workspace_id = $1 and account = 'available'
        union all
        select currency, 0, net from payment where workspace_id = $1 and status in ('pending', 'processing')
      ) each
      group by currency
    ) totals on true order by totals.currency`,
  lock: `select ${TIMESHEET} from timesheet where workspace_id = $1 and id = $2 for update`,
  approve: `update timesheet set status = 'approved', revision = revision + 1, payment_id = $3, approve_at = null,
    updated_at = $4 where workspace_id = $1 and id = $2 returning ${TIMESHEET}`,
  applyEvent: `insert into applied_operation (workspace_id, principal_id, operation_id, command, fingerprint, applied_at)
    values ($2, '00000000-0000-0000-0000-000000000000', $1, 'timesheet.approved', '', $3) on conflict do nothing`,
  payment: `insert into payment (workspace_id, id, contract_id, source_type, source_id, status, sequence, currency, gross,
      net, scheduled_date, auto_pay_enabled, created_at, updated_at)
    values ($1, $2, $3, 'timesheet', $4, 'pending', 1, $5, $6, $6, $7, true, $8, $8)`,
  confirm: `delete from outbox_delivery where event_id = $1`,
  contract: `insert into contract (workspace_id, id, revision, title, employment_type, contract_type, status, start_date,
      end_date, currency, rate, payment_due_days, auto_pay_enabled, timesheet_approval_required, draft,
      created_by_principal, created_at, updated_at)
    values ($1, $2, 1, $3, $4, $5, 'draft', $6, $7, $8, $9, $10, true, true, $11, $12, $13, $13)`,
  audit: `insert into audit_entry
      (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
    values ($1, $2, $3, 'api_key', $4, 'rest', $5, $6, $7, $8)`,
  emit: `with event as (
      insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at) values ($1, $2, $3, $4, $5, $6)
      returning id, recorded_at)
    insert into outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, consumer, recorded_at, 1, recorded_at from event, unnest($7::text[]) consumer`,
  register: `insert into idempotency_key (principal_id, key, fingerprint) values ($1, $2, $3) on conflict do nothing`,
  clock: `insert into change_clock (workspace_id, last) values ($1, clock_timestamp())
   on conflict (workspace_id) do update
     set last = greatest(clock_timestamp(), change_clock.last + interval '1 microsecond')
   returning last::text as now`,
  apply: `insert into applied_operation (workspace_id, principal_id, operation_id, command, fingerprint, applied_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
  outcome: `update applied_operation set outcome = $4
   where workspace_id = $1 and principal_id = $2 and operation_id = $3`,
  begin: 'begin',
  commit: 'commit',
  rollback: 'rollback',
} as const;
