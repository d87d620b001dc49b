import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, Money, type PaymentMethod, type WorkerActor } from '@payroll/kernel';
import type { Calendar } from '@payroll/service';
import { computed, columns, columnsExcept, Keyset, read, sql, type Sql } from '@payroll/store';
import { myObstacle } from '../domain/payment.js';
import type { VerificationStatus } from '../domain/payee.js';
import { DeductionTable, PayeeTable, PaymentTable } from '../store/tables.js';
import { toPayment } from '../store/views.js';
import { openHold, WITH_PAYEE } from '../store/holds.js';
import { HELD_BY, waitsUntil } from './holds.js';

type MyPaymentNode = Awaited<ReturnType<typeof listMyPayments>>['nodes'][number];

/** A page of the payments to a worker, newest first. */
export async function listMyPayments(
  em: EntityManager,
  calendar: Calendar,
  { workspaceId, workerId }: WorkerActor,
  { isOpen, isOwed, ...page }: { isOpen: boolean; isOwed: boolean; limit: number; cursor?: string | null },
) {
  const keyset = new Keyset({
    list: 'my payments',
    workspaceId,
    filters: { workerId, isOpen, ...(isOwed && { isOwed }) },
    ...page,
  });
  const open = isOpen && sql`payment.status in ('pending', 'processing')`;
  const owed = isOwed && sql`payment.status in ('pending', 'processing', 'failed')`;
  const statement = keyset.statement(mine(calendar, workspaceId), 'payment', [isOf(workerId), open, owed]);
  return keyset.page(await read(em, statement), toMyPayment);
}

/** Null unless the payment is one to this worker. */
export async function findMyPayment(
  em: EntityManager,
  calendar: Calendar,
  { workspaceId, workerId }: WorkerActor,
  id: string,
): Promise<MyPaymentNode | null> {
  if (!isId(id)) return null;
  const [row] = await read(
    em,
    sql`${mine(calendar, workspaceId)}
      where payment.workspace_id = ${workspaceId} and ${isOf(workerId)} and payment.id = ${id}`,
  );
  return row ? toMyPayment(row) : null;
}

export async function myDeductions(em: EntityManager, { workspaceId, workerId }: WorkerActor, paymentId: string) {
  const rows = await read(
    em,
    sql`select ${columns(DeductionTable, 'name', 'amount')}, ${columns(PaymentTable, 'currency')}
      from deduction
      join payment on payment.workspace_id = deduction.workspace_id and payment.id = deduction.payment_id
      join contract_worker on contract_worker.workspace_id = payment.workspace_id
        and contract_worker.contract_id = payment.contract_id
      where payment.workspace_id = ${workspaceId} and ${isOf(workerId)} and payment.id = ${paymentId}
      order by deduction.id`,
  );
  return rows.map(({ name, amount, currency }) => ({ name, amount: { amount, currency } }));
}

/** As `toPayee` shows it. */
const endingOf = (destination: Sql) => sql`right(regexp_replace(${destination}, '\\s', '', 'g'), 4)`;

const isOf = (workerId: string) => sql`contract_worker.worker_id = ${workerId}`;

function mine(calendar: Calendar, workspaceId: string) {
  const today = sql`((clock_timestamp() at time zone 'UTC')::date + ${calendar.of(workspaceId)})`;
  return sql`select ${columnsExcept(PaymentTable, 'workspaceId', 'sequence', 'traceparent')},
      ${computed('isNothing', 'boolean', sql`payment.net = 0`)},
      ${computed('isDue', 'boolean', sql`payment.scheduled_date is null or payment.scheduled_date <= ${today}`)},
      ${computed('isHeld', 'boolean', sql`${HELD_BY} is not null`)},
      ${computed('waitsUntil', 'timestamptz?', waitsUntil(calendar))},
      ${computed('payeeStatus', 'text?', sql`payee.verification_status`)},
      ${computed('payeeUpdatedAt', 'timestamptz?', sql`payee.updated_at`)},
      ${computed('sentBy', 'text?', sql`attempt.payout_method`)},
      ${computed('sentToEnding', 'text?', endingOf(sql`attempt.destination`))},
      ${computed('paidAmount', 'text?', sql`attempt.paid ->> 'amount'`)},
      ${computed('paidCurrency', 'text?', sql`attempt.paid ->> 'currency'`)}
    from payment
    ${WITH_PAYEE}
    left join lateral (
      select coalesce(heard ->> 'payoutMethod', payout_method) as payout_method,
        coalesce(heard ->> 'destination', destination) as destination, case when status = 'settled' then
        coalesce(heard -> 'amount', jsonb_build_object('amount', amount::text, 'currency', currency)) end as paid
      from payout_attempt where payout_attempt.workspace_id = payment.workspace_id
        and payout_attempt.payment_id = payment.id
      order by number desc limit 1
    ) attempt on true`;
}

type MyPaymentRow = ReturnType<typeof mine>['row'];

function toMyPayment({ sentBy, sentToEnding, paidAmount, paidCurrency, isNothing, isHeld, ...row }: MyPaymentRow) {
  const { isDue, waitsUntil: until, payeeStatus, payeeUpdatedAt, ...payment } = row;
  const payee =
    payeeStatus === null || payeeUpdatedAt === null
      ? null
      : { verificationStatus: payeeStatus as VerificationStatus, updatedAt: payeeUpdatedAt };
  return {
    ...toPayment(payment),
    isDue,
    waitsUntil: until,
    obstacle: myObstacle({ ...payment, isNothing, isHeld, payee }),
    sentBy: sentBy as PaymentMethod | null,
    sentToEnding,
    paidAmount: paidAmount === null || paidCurrency === null ? null : Money.stored(paidAmount, paidCurrency).toJSON(),
  };
}

/** The worker's own payout details, the account masked; null before they entered any. */
export async function findMyPayee(em: EntityManager, calendar: Calendar, { workspaceId, workerId }: WorkerActor) {
  const [row] = await read(
    em,
    sql`select ${columns(PayeeTable, 'holder', 'payoutMethod', 'verificationStatus', 'stoppedAt')},
        ${computed('destinationEnding', 'text', endingOf(sql`payee.destination`))},
        ${computed('heldUntil', 'timestamptz?', openHold(calendar))},
        ${computed('version', 'timestamptz', sql`payee.updated_at`)}
      from payee where payee.workspace_id = ${workspaceId} and payee.worker_id = ${workerId}`,
  );
  return row ?? null;
}
