import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, Money, type CalendarDate, type PaymentStatus } from '@payroll/kernel';
import { ASKED_KEY, ofKeys, type ServiceDependencies } from '@payroll/service';
import { columnOf, columns, columnsExcept, list, sql, type Page, type Paging, type TableRow } from '@payroll/store';
import { recordApprovedMilestone, recordApprovedTimesheet } from '../commands/apply-events.js';
import type { MoneyValue } from '../domain/values.js';
import { PayoutAttemptTable } from '../store/money-tables.js';
import { DeductionTable, PaymentTable } from '../store/tables.js';
import { payments, type Payment } from '../store/views.js';

/**
 * One payment. An approval returns its payment's id before the event may have arrived here: such a read fetches the
 * event itself, so that an integrator never gets a 404 for an id it was just given.
 * @throws DomainError `SERVICE_UNAVAILABLE` if the payment is not here and review cannot be reached.
 */
export async function findPayment(
  { learn }: Pick<ServiceDependencies, 'learn'>,
  look: () => Promise<Payment | null>,
  workspaceId: string,
  id: string,
): Promise<Payment | null> {
  if (!isId(id)) return null;
  const here = await look();
  if (here) return here;
  const commands = { 'timesheet.approved': recordApprovedTimesheet, 'milestone.approved': recordApprovedMilestone };
  const approval = await learn(commands, { workspaceId, aboutId: id });
  return approval && (await look());
}

interface PaymentFilters extends Paging {
  status?: PaymentStatus | null;
  contractId?: string | null;
  workerId?: string | null;
  /** Both inclusive. */
  scheduledFrom?: CalendarDate | null;
  scheduledTo?: CalendarDate | null;
}

export async function listPayments(
  em: EntityManager,
  workspaceId: string,
  { status, contractId, workerId, scheduledFrom, scheduledTo, ...page }: PaymentFilters,
): Promise<Page<Payment>> {
  if (workerId && !isId(workerId)) return { nodes: [], hasMore: false, nextCursor: null };
  const [contract, day] = [columnOf(PaymentTable, 'contractId'), columnOf(PaymentTable, 'scheduledDate')];
  const conditions = [
    workerId &&
      sql`${contract} in (select contract_id from contract_worker
        where workspace_id = ${workspaceId} and worker_id = ${workerId})`,
    scheduledFrom && sql`${day} >= ${scheduledFrom}::date`,
    scheduledTo && sql`${day} <= ${scheduledTo}::date`,
  ];
  const filters = { workerId, scheduledFrom, scheduledTo };
  return await list(em, payments, { workspaceId, where: { status, contractId }, filters, conditions, ...page });
}

export function deductionsOfPayments(em: EntityManager) {
  const shown = sql`${columns(DeductionTable, 'id', 'paymentId', 'name', 'amount', 'createdAt')}, ${columns(PaymentTable, 'currency')}`;
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${shown} from ${asked}
      join payment on payment.workspace_id = asked.workspace_id and payment.id = asked.id
      join deduction on deduction.workspace_id = asked.workspace_id and deduction.payment_id = asked.id
      order by deduction.id`,
    (rows) => rows.map(withMoney),
  );
}

export function attemptsOfPayments(em: EntityManager) {
  const shown = columnsExcept(PayoutAttemptTable, 'idempotencyKey', 'workerId', 'polls', 'nextPollAt');
  return ofKeys(
    em,
    (asked) => sql`select ${ASKED_KEY}, ${shown} from ${asked}
      join payout_attempt on payout_attempt.workspace_id = asked.workspace_id and payout_attempt.payment_id = asked.id
      order by payout_attempt.number`,
    (rows) => rows.map(toAttempt),
  );
}

/** Compares destinations without showing them. */
function toAttempt({ heard, destination, ...row }: AttemptRow) {
  const attempt = withMoney(row);
  const reported = heard && {
    status: heard.status,
    amount: heard.amount,
    isToSameDestination: heard.destination === destination && heard.payoutMethod === row.payoutMethod,
  };
  // The provider may write `40` for 40.00.
  const { amount, currency } = heard?.amount ?? attempt.amount;
  const paidAmount = row.status === 'settled' ? Money.stored(amount, currency).toJSON() : null;
  return { ...attempt, reported, paidAmount };
}

type AttemptRow = Omit<TableRow<typeof PayoutAttemptTable>, 'idempotencyKey' | 'workerId' | 'polls' | 'nextPollAt'>;

function withMoney<Row extends MoneyValue>({ amount, currency, ...rest }: Row) {
  return { ...rest, amount: { amount, currency } };
}
