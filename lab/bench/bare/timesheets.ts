import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool } from 'pg';
import { audit, inTransaction, note, runnerOf, writeOnce, type Holder } from './write-once.js';

/** The columns that the code reads by name; the others are only shown. */
export type TimesheetRow = Record<
  'id' | 'contractId' | 'status' | 'paymentScheduledDate' | 'rate' | 'total' | 'currency' | 'version' | 'createdAt',
  string
>;

export function timesheetOf({ rate, total, currency, ...row }: TimesheetRow): object {
  return { ...row, rate: { amount: rate, currency }, total: { amount: total, currency } };
}

export type Approval = FastifyRequest<{ Params: { id: string }; Body: { expectedVersion: string } }>;

/** The approval, then the work of payments that precedes the answer, in the same transactions as in the system. */
export async function approve(pool: Pool, holder: Holder, request: Approval): Promise<string> {
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
  await runnerOf(pool)('confirm', [eventId]);
  return answer;
}
