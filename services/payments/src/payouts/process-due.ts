import type { EntityManager } from '@mikro-orm/postgresql';
import { isDomainError, errorForLog, newId, systemOrigin, type Instant } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import { Calendar, deferWork, notDeferred, roundTime, type ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql } from '@payroll/store';
import { processPayment } from '../commands/begin-payout.js';
import { isHeld } from '../store/holds.js';
import { PaymentTable } from '../store/tables.js';
import { refreshParties } from './refresh-parties.js';
import { isCompared } from './compare-orders.js';
import { resumeTrace } from './resume-trace.js';

type ProcessDueDependencies = Pick<ServiceDependencies, 'em' | 'commands' | 'learn' | 'log' | 'deployment'>;

export const DUE_PAYMENTS = 'due-payments';

/** Payments listed and processed concurrently: leaves room in a pool of ten. */
const BATCH = 4;

/**
 * Within a workspace, money goes to payments by due date, then by creation. Safe in several processes, which may be
 * killed at any point.
 */
export async function processDue(parts: ProcessDueDependencies, stopping?: AbortSignal): Promise<void> {
  if (!(await isCompared(parts.em))) return;
  const calendar = new Calendar(parts);
  const isOver = roundTime();
  let batch: DuePayment[] = [];
  do {
    batch = await duePayments(parts.em, calendar, batch.at(-1));
    const byWorkspace = Map.groupBy(batch, ({ workspaceId }) => workspaceId);
    await Promise.all([...byWorkspace.values()].map((payments) => processEach(parts, payments)));
  } while (batch.length === BATCH && !stopping?.aborted && !isOver());
}

async function processEach(parts: ProcessDueDependencies, payments: readonly DuePayment[]): Promise<void> {
  const { em, log } = parts;
  for (const payment of payments) {
    const ledBy = { ...payment, paymentId: payment.id };
    const work = (): Promise<void> => resumeTrace(ledBy, 'take up the due payment', () => processOne(parts, payment));
    await runAndLog(log, payment.id, work, (error) => deferWork(em, { runner: DUE_PAYMENTS, ...payment }, error));
  }
}

async function processOne(parts: ProcessDueDependencies, { workspaceId, id: paymentId }: DuePayment): Promise<void> {
  const learned = await refreshParties(parts, workspaceId, paymentId);
  if (!learned) return;
  const origin = systemOrigin(workspaceId, 'runner', `due-${newId()}`);
  try {
    await parts.commands.run(processPayment, { paymentId, learned }, origin);
  } catch (error) {
    // Another process was first, the payment was cancelled, or it is not due after all.
    if (!isDomainError(error, 'INVALID_STATE')) throw error;
  }
}

/**
 * Logs a failure instead of throwing, so that one payment does not block others; it stays due, or its attempt open,
 * and is retried.
 * @returns whether it succeeded.
 */
export async function runAndLog(
  log: Log,
  paymentId: string,
  work: () => Promise<void>,
  failed?: (error: unknown) => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.warn({ paymentId, error: errorForLog(error) }, 'A payout is tried again later');
    await failed?.(error);
    return false;
  }
}

interface DuePayment {
  workspaceId: string;
  id: string;
  /** `-infinity` when it is due at once. */
  day: string;
  createdAt: Instant;
  traceparent: string | null;
  isRecent: boolean;
}

/** Pending automatic payments of all workspaces that are due by Postgres' clock, after a position in their order. */
async function duePayments(
  em: EntityManager,
  calendar: Calendar,
  after: DuePayment | undefined,
): Promise<DuePayment[]> {
  // Use a subquery: clock_timestamp() itself is volatile, so Postgres could not use it as an index bound.
  const today = sql`(select (clock_timestamp() at time zone 'UTC')::date)`;
  const day = sql`coalesce(scheduled_date, '-infinity'::date)`;
  const beyond = after
    ? sql`and (${day}, created_at, id) > (${after.day}::date, ${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : sql``;
  const isPayable = sql`status = 'pending' and auto_pay_enabled ${beyond} and ${notDeferred(DUE_PAYMENTS, PaymentTable)}
    and not ${isHeld(calendar)}`;
  const first = sql`order by ${day}, created_at, id limit ${BATCH}`;
  return await read(
    em,
    sql`select ${columns(PaymentTable, 'workspaceId', 'id', 'createdAt', 'traceparent')}, ${computed('day', 'text', day)},
        ${computed('isRecent', 'boolean', sql`updated_at > clock_timestamp() - interval '1 h'`)}
      from (
        (select * from payment where ${day} <= ${today} and ${isPayable} ${first})
        union all
        (select early.* from ${calendar.moved} cross join lateral (
          select * from payment
          where payment.workspace_id = calendar.workspace_id and ${isPayable}
            and ${day} > ${today} and ${day} <= ${today} + calendar.days_ahead ${first}
        ) early)
      ) payment ${first}`,
  );
}
