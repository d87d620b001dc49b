import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, Keyset, read, sql, rawSql, type Page, type Paging } from '@payroll/store';
import { versionOf } from '../domain/work.js';

export const WORK_KINDS = ['timesheet', 'milestone'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Where counting stops: one more than the "99+" that is shown. */
const MAX_COUNTED = 100;

/**
 * Both kinds in one shape, ordered by submission time. Each has a partial index of exactly these rows in this order.
 */
const SUBMITTED = {
  timesheet: sql`(select workspace_id, id, submitted_at as created_at, 'timesheet' as kind, contract_id, revision,
      currency, total as amount, null as title, period_start, period_end, units_worked, rate, payment_scheduled_date, auto_pay_enabled
    from timesheet where status = 'submitted') waiting`,
  milestone: sql`(select workspace_id, id, updated_at as created_at, 'milestone' as kind, contract_id, revision,
      currency, amount, title, null as period_start, null as period_end, null as units_worked,
      null as rate, null as payment_scheduled_date, true as auto_pay_enabled
    from milestone where status = 'submitted') waiting`,
};

const COLUMNS = sql`${rawSql<{ kind: WorkKind }>('waiting.kind')}, ${computed('id', 'uuid', sql`waiting.id`)},
  ${computed('contractId', 'uuid', sql`contract_id`)}, ${computed('revision', 'int', sql`revision`)},
  ${computed('currency', 'text', sql`currency`)}, ${computed('amount', 'numeric', sql`amount`)},
  ${computed('title', 'text?', sql`title`)}, ${computed('periodStart', 'date?', sql`period_start`)},
  ${computed('periodEnd', 'date?', sql`period_end`)}, ${computed('unitsWorked', 'numeric?', sql`units_worked`)},
  ${computed('rate', 'numeric?', sql`rate`)},
  ${computed('paymentScheduledDate', 'date?', sql`payment_scheduled_date`)},
  ${computed('autoPayEnabled', 'boolean', sql`auto_pay_enabled`)},
  ${computed('createdAt', 'timestamptz', sql`waiting.created_at`)}, ${computed('updatedAt', 'timestamptz', sql`waiting.created_at`)}`;

type WaitingWork = ReturnType<typeof toWaitingWork>;

function toWaitingWork({ createdAt, currency, amount, ...row }: (typeof COLUMNS)['row']) {
  const version = versionOf(row.id, row.revision);
  return { ...row, amount: { amount, currency }, submittedAt: createdAt, version };
}

interface QueueFilters extends Paging {
  kind?: WorkKind | null;
}

/** All submitted work of a workspace, across contracts. */
export async function reviewQueue(
  em: EntityManager,
  workspaceId: string,
  { kind = null, oldestFirst = true, ...page }: QueueFilters,
): Promise<Page<WaitingWork>> {
  const keyset = new Keyset({ list: 'review queue', workspaceId, filters: { kind }, oldestFirst, ...page });
  const [first, second] = kindsOf(kind).map((each) =>
    keyset.statement(sql`select ${COLUMNS} from ${SUBMITTED[each]}`, 'waiting'),
  );
  const way = rawSql(oldestFirst ? 'asc' : 'desc');
  const both =
    second && sql`(${first!}) union all (${second}) order by "createdAt" ${way}, id ${way} limit ${page.limit + 1}`;
  return keyset.page(await read(em, both ?? first!), toWaitingWork);
}

/**
 * Counts submitted work up to 100: callers show no more, and the cost stays bounded. The order is that of the indexes. Without it
 * Postgres scans the table when one workspace has most rows, and reads every other workspace's rows that come first.
 */
export async function countWaiting(em: EntityManager, workspaceId: string, kind?: WorkKind | null): Promise<number> {
  const [first, second] = kindsOf(kind).map(
    (each) => sql`(select 1 from ${SUBMITTED[each]} where waiting.workspace_id = ${workspaceId}
      order by waiting.created_at, waiting.id limit ${MAX_COUNTED})`,
  );
  const limited = second ? sql`(${first!} union all ${second} limit ${MAX_COUNTED})` : first!;
  const [row] = await read(em, sql`select ${computed('count', 'int', sql`count(*)`)} from ${limited} limited`);
  return row!.count;
}

function kindsOf(kind: WorkKind | null | undefined): readonly WorkKind[] {
  return kind ? [kind] : WORK_KINDS;
}
