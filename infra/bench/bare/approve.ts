import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { inTransaction, moveClock, note, runnerOf, writeOnce, type Prepared, type Holder } from './write-once.js';

const COLUMNS = `id, contract_id as "contractId", status, period_start::text as "periodStart",
  period_end::text as "periodEnd", units_worked as "unitsWorked", rate, total, currency,
  payment_scheduled_date::text as "paymentScheduledDate", auto_pay_enabled as "autoPayEnabled",
  payment_id as "paymentId", created_at::text as "createdAt", updated_at::text as "updatedAt", revision::text as version`;

export const ONE: Prepared = {
  name: 'one',
  text: `select ${COLUMNS} from timesheet where workspace_id = $1 and id = $2`,
};

/** A row more than the page shows says whether there is a next one. */
export const LIST: Prepared = {
  name: 'list',
  text: `select ${COLUMNS} from timesheet where workspace_id = $1 order by created_at desc, id desc limit 51`,
};

const LOCK: Prepared = {
  name: 'lock',
  text: `select ${COLUMNS} from timesheet where workspace_id = $1 and id = $2 for update`,
};

const APPROVE: Prepared = {
  name: 'approve',
  text: `update timesheet set status = 'approved', revision = revision + 1, payment_id = $3, approve_at = null,
    updated_at = $4 where workspace_id = $1 and id = $2 returning ${COLUMNS}`,
};

export interface TimesheetRow {
  id: string;
  contractId: string;
  status: string;
  paymentScheduledDate: string;
  rate: string;
  total: string;
  currency: string;
  version: string;
  createdAt: string;
}

export function shown({ rate, total, currency, ...row }: TimesheetRow): object {
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency } };
}

export function page(rows: readonly TimesheetRow[]): object {
  const hasMore = rows.length > 50;
  const data = hasMore ? rows.slice(0, 50) : rows;
  const last = data.at(-1);
  const nextCursor =
    hasMore && last ? Buffer.from(JSON.stringify([last.createdAt, last.id])).toString('base64url') : null;
  return { data: data.map(shown), hasMore, nextCursor };
}

const INBOX: Prepared = {
  name: 'inbox',
  text: `insert into inbox_event (event_id, workspace_id, type, applied_at) values ($1, $2, 'timesheet.approved', $3)
    on conflict do nothing`,
};
const PAYMENT: Prepared = {
  name: 'payment',
  text: `insert into payment (workspace_id, id, contract_id, source_type, source_id, status, sequence, currency, gross,
      net, scheduled_date, auto_pay_enabled, created_at, updated_at)
    values ($1, $2, $3, 'timesheet', $4, 'pending', 1, $5, $6, $6, $7, true, $8, $8)`,
};
const RECEIPT: Prepared = {
  name: 'receipt',
  text: `update outbox_event set awaiting = '{}', due_at = null where id = $1`,
};

/** The approval, then what payments does before the answer goes out, in the transactions they are done in. */
export async function approve(
  pool: Pool,
  holder: Holder,
  request: FastifyRequest<{ Params: { id: string }; Body: { expectedVersion: string } }>,
): Promise<string> {
  const { workspaceId } = holder;
  const { id } = request.params;
  const paymentId = randomUUID();
  const about = { holder, requestId: request.id, subjectId: paymentId };
  let approved: { row: TimesheetRow; eventId: string } | undefined;
  const answer = await writeOnce(pool, holder, request, {
    command: 'timesheet.approve',
    status: 200,
    work: async (run, now) => {
      const [found] = await run<TimesheetRow>(LOCK, [workspaceId, id]);
      if (found?.version !== request.body.expectedVersion || found.status !== 'submitted') throw new Error('refused');
      const [row] = await run<TimesheetRow>(APPROVE, [workspaceId, id, paymentId, now]);
      const change = { ...about, now, type: 'timesheet.approved', change: row!, consumer: 'payments' };
      approved = { row: row!, eventId: await note(run, change) };
      return shown(row!);
    },
  });
  const { row, eventId } = approved!;
  await inTransaction(pool, async (run) => {
    const now = await moveClock(run, workspaceId);
    await run(INBOX, [eventId, workspaceId, now]);
    const { contractId, currency, total, paymentScheduledDate } = row;
    await run(PAYMENT, [workspaceId, paymentId, contractId, id, currency, total, paymentScheduledDate, now]);
    await note(run, { ...about, now, type: 'payment.created', change: { currency, total }, consumer: 'review' });
  });
  await runnerOf(pool)(RECEIPT, [eventId]);
  return answer;
}
