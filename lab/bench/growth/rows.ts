import type { Client } from 'pg';

/** Ten contracts have all the work, so that a page of each is full even in the small workspace. */
const contractId = (n: string) => `('00000000-0000-7000-8000-' || lpad((${n} % 10)::text, 12, '0'))::uuid`;

/** One of them. */
export const SHOWN_CONTRACT = '00000000-0000-7000-8000-000000000007';
/** Half of the rows have changed since this time. */
export const changedSince = (rows: number): string => new Date(START_MS + (rows / 2) * 1000).toISOString();
/** Number of pending payments, which does not grow with the total: open payments are settled some day. */
const PENDING = 500;

const START_MS = Date.UTC(2020, 0, 1);
const moment = `to_timestamp(${START_MS / 1000} + n)`;

/** Copies an existing row with other values, whatever columns the table has. */
const like = (table: string, values: string) => `insert into ${table}
  select copy.* from ${table} t, generate_series(1, $2::int) n,
    jsonb_populate_record(t, jsonb_build_object('id', uuidv7(), 'workspace_id', $1::uuid,
      'contract_id', ${contractId('n')}, 'created_at', ${moment}, 'updated_at', ${moment}, ${values})) copy
  where t.ctid = (select ctid from ${table} limit 1)`;

const TIMESHEETS = like(
  'review.timesheet',
  `'status', (array['submitted', 'approved', 'rejected'])[1 + n % 3], 'approve_at', null, 'payment_id', null`,
);
const PAYMENTS = like(
  'payments.payment',
  `'source_id', uuidv7(), 'auto_pay_enabled', false, 'failure_reason', null,
   'status', case when n % greatest($2 / ${PENDING}, 1) = 0 then 'pending' else 'completed' end`,
);

/** Timesheets and payments, a second apart. */
export async function fillWorkspace(database: Client, workspaceId: string, rows: number): Promise<void> {
  for (const fill of [TIMESHEETS, PAYMENTS]) await database.query(fill, [workspaceId, rows]);
  await database.query('vacuum analyze review.timesheet, payments.payment');
}
