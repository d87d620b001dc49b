import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import type { Holder } from './admit.js';
import { runnerOf, type Prepared } from './database.js';
import { note } from './history.js';
import { APPROVE, LOCK, shown, type TimesheetRow } from './timesheets.js';
import { inTransaction, moveClock, writeOnce } from './write-once.js';

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
