import type { Prepared } from './database.js';

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

export const LOCK: Prepared = {
  name: 'lock',
  text: `select ${COLUMNS} from timesheet where workspace_id = $1 and id = $2 for update`,
};

export const APPROVE: Prepared = {
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
