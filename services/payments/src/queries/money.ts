import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, Money } from '@payroll/kernel';
import { type Calendar, type BatchFetch, keyOf } from '@payroll/service';
import { columns, computed, Keyset, list, type Page, type Paging, read, sql } from '@payroll/store';
import type { LedgerAccountName } from '../domain/ledger.js';
import { LedgerAccountTable, LedgerEntryTable, LedgerPostingTable } from '../store/money-tables.js';
import { shortfalls, upcomingDays, upcomingWeeks, WEEKS_AHEAD } from '../domain/upcoming.js';
import type { InstructionStatus } from '../domain/instruction.js';
import { instructions, type Instruction } from '../store/views.js';

const TOTAL = sql`${computed('workspaceId', 'uuid', sql`workspace_id`)}, ${computed('asOf', 'timestamptz', sql`statement_timestamp()`)},
  ${computed('currency', 'text?', sql`totals.currency`)}, ${computed('available', 'text?', sql`totals.available`)},
  ${computed('pending', 'text?', sql`totals.pending`)}, ${computed('owedToWorkers', 'text?', sql`totals.owed_to`)},
  ${computed('owedByWorkers', 'text?', sql`totals.owed_by`)}`;

type Total = (typeof TOTAL)['row'];

/**
 * The available and the pending balance of workspaces. One statement, so that all amounts are of the same moment.
 */
export function balancesOf(em: EntityManager): BatchFetch<ReturnType<typeof balancesIn>> {
  return async (keys) => {
    const ids = keys.map(({ workspaceId }) => workspaceId);
    const totals = sql`
      select workspace_id, currency, sum(available) as available, sum(pending) as pending, sum(owed_to) as owed_to,
        sum(owed_by) as owed_by
      from (
        select workspace_id, currency, case account when 'available' then balance else 0 end as available, 0 as pending,
          case account when 'workers_payable' then -balance else 0 end as owed_to,
          case account when 'workers_receivable' then balance else 0 end as owed_by
        from ledger_account
        where workspace_id = any(${ids}::uuid[]) and account in ('available', 'workers_payable', 'workers_receivable')
        union all
        select workspace_id, currency, 0, net, 0, 0 from payment
        where workspace_id = any(${ids}::uuid[]) and status in ('pending', 'processing')
      ) each
      group by workspace_id, currency`;
    // A workspace without money has one row, which has only the time.
    const rows = await read(
      em,
      sql`select ${TOTAL} from (select distinct unnest(${ids}::uuid[]) as workspace_id) asked
        left join (${totals}) totals using (workspace_id) order by totals.currency`,
    );
    const byWorkspace = Map.groupBy(rows, ({ workspaceId }) => keyOf({ workspaceId, id: workspaceId }));
    return new Map([...byWorkspace].map(([key, [first, ...others]]) => [key, balancesIn([first!, ...others])]));
  };
}

function balancesIn(totals: readonly [Total, ...Total[]]) {
  const sums = (name: 'available' | 'pending' | 'owedToWorkers' | 'owedByWorkers') =>
    totals.flatMap((each) => (each.currency === null ? [] : [Money.stored(each[name] ?? '0', each.currency)]));
  const owed = (name: 'owedToWorkers' | 'owedByWorkers') => sums(name).filter((each) => each.isPositive());
  return {
    available: sums('available').map((each) => each.toJSON()),
    pending: sums('pending').map((each) => each.toJSON()),
    owedToWorkers: owed('owedToWorkers').map((each) => each.toJSON()),
    owedByWorkers: owed('owedByWorkers').map((each) => each.toJSON()),
    asOf: totals[0].asOf,
  };
}

/**
 * A workspace's upcoming payments by week, day and currency, and the shortfall of its balance. Payments that failed for lack of funds
 * count as due today. One statement, so that all amounts are of the same moment, and at most a row per day and currency.
 */
export async function readUpcoming(em: EntityManager, calendar: Calendar, workspaceId: string) {
  const today = sql`((clock_timestamp() at time zone 'UTC')::date + ${calendar.of(workspaceId)})`;
  const horizon = sql`(${today} + ${WEEKS_AHEAD * 7}::int)`;
  const owed = sql`
    select currency, greatest(coalesce(scheduled_date, ${today}), ${today}) as day, net from payment
      where workspace_id = ${workspaceId} and status = 'pending'
    union all
    select currency, ${today}, net from payment
      where workspace_id = ${workspaceId} and status = 'failed' and failure_reason = 'insufficient_funds'`;
  const rows = await read(
    em,
    sql`select ${computed('currency', 'text', sql`days.currency`)}, ${computed('day', 'text?', sql`days.day`)},
        ${computed('amount', 'text', sql`days.amount`)}, ${computed('payments', 'int', sql`days.payments`)},
        ${computed('available', 'text?', sql`account.balance`)}
      from (
        select currency, case when day <= ${horizon} then day end as day, sum(net) as amount, count(*) as payments
        from (${owed}) owed group by 1, 2
      ) days
      left join ledger_account account on account.workspace_id = ${workspaceId} and account.account = 'available'
        and account.currency = days.currency
      order by days.day nulls last, days.currency`,
  );
  const available = new Map(rows.map((row) => [row.currency, row.available ?? '0']));
  const days = upcomingDays(rows, available);
  return { weeks: upcomingWeeks(rows), days, shortfalls: shortfalls(days) };
}

export async function listLedgerAccounts(em: EntityManager, workspaceId: string) {
  const rows = await read(
    em,
    sql`select ${columns(LedgerAccountTable, 'account', 'currency', 'balance')},
        ${computed('total', 'text', sql`coalesce(computed.total, 0)`)}
      from ledger_account
      left join (
        select account, currency, sum(amount) as total from ledger_entry
        where workspace_id = ${workspaceId} group by account, currency
      ) computed using (account, currency)
      where ledger_account.workspace_id = ${workspaceId}
      order by currency, account`,
  );
  return rows.map(({ account, currency, balance, total }) => ({
    account,
    balance: Money.stored(balance, currency).toJSON(),
    entriesTotal: Money.stored(total, currency).toJSON(),
  }));
}

interface EntryFilters extends Paging {
  account?: LedgerAccountName | null;
  currency?: string | null;
  paymentId?: string | null;
}

const ENTRIES = sql`
  select ${columns(LedgerEntryTable, 'id', 'postingId', 'account', 'currency', 'amount', 'createdAt')},
    ${columns(LedgerPostingTable, 'kind', 'paymentId')}, ${computed('updatedAt', 'timestamptz', sql`ledger_entry.created_at`)}
  from ledger_entry
  join ledger_posting on ledger_posting.workspace_id = ledger_entry.workspace_id
    and ledger_posting.id = ledger_entry.posting_id`;

/** Entries, newest first. They never change, so no other order is needed. */
export async function listLedgerEntries(
  em: EntityManager,
  workspaceId: string,
  { account = null, currency = null, paymentId = null, ...page }: EntryFilters,
) {
  const filters = { account, currency, paymentId };
  const keyset = new Keyset({ list: 'ledger entries', workspaceId, filters, ...page });
  if (paymentId && !isId(paymentId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(ENTRIES, 'ledger_entry', [
    account && sql`ledger_entry.account = ${account}`,
    currency && sql`ledger_entry.currency = ${currency}`,
    paymentId && sql`ledger_posting.payment_id = ${paymentId}`,
  ]);
  return keyset.page(await read(em, statement), ({ amount, currency: of, ...entry }) => ({
    ...entry,
    amount: { amount, currency: of },
  }));
}

interface InstructionFilters extends Paging {
  status?: InstructionStatus | null;
}

/** Expiry is not stored: an instruction is expired if its time is over and no decision was made. */
export async function listInstructions(
  em: EntityManager,
  workspaceId: string,
  { status, ...page }: InstructionFilters,
): Promise<Page<Instruction>> {
  const stored = status === 'expired' ? 'requested' : status;
  const conditions = [
    stored && sql`status = ${stored}`,
    status === 'requested' && sql`expires_at > now()`,
    status === 'expired' && sql`expires_at <= now()`,
  ];
  return await list(em, instructions, { workspaceId, filters: { status }, conditions, ...page });
}
