import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPE_OF,
  FAILURE_REASONS,
  MILESTONE_STATUSES,
  PAYMENT_STATUSES,
  TIMESHEET_STATUSES,
} from '@payroll/kernel';
import type { Client } from 'pg';

const TINY = '0.000000000000000001';
const HUGE = '99999999999999999999.99';
const TEXT = '"quoted" \\ back\nline\t\u2028 € 𝄞 </script>';
const LONG_AGO = '0001-01-01T00:00:00.000001Z';

/** Amounts are text, which Postgres reads without loss. */
type Row = Readonly<Record<string, unknown>>;

const money = (name: string): Row[] => [TINY, HUGE, '0', '1.10'].map((amount) => ({ [name]: amount }));

const timesheets: readonly Row[] = [
  ...TIMESHEET_STATUSES.map((status) => ({ status, payment_id: null })),
  ...money('rate'),
  ...money('total'),
  ...money('units_worked'),
  { currency: 'USDC', auto_pay_enabled: false, payment_id: '00000000-0000-0000-0000-000000000000' },
  { period_start: '0001-01-01', period_end: '9999-12-31', created_at: LONG_AGO },
];
const milestones: readonly Row[] = [
  ...MILESTONE_STATUSES.map((status) => ({ status, due_date: null, payment_date: null, payment_id: null })),
  ...money('amount'),
  { title: TEXT, description: TEXT, due_date: '2028-02-29', payment_date: '9999-12-31' },
  { description: null },
];
const payments: readonly Row[] = [
  ...PAYMENT_STATUSES.map((status) => ({ status, scheduled_date: null, processed_at: null, completed_at: null })),
  ...FAILURE_REASONS.map((failure_reason) => ({ status: 'failed', failure_reason })),
  { gross: HUGE, net: TINY, source_type: 'milestone', currency: 'JPY' },
  { processed_at: LONG_AGO, completed_at: LONG_AGO, scheduled_date: '9999-12-31' },
].map((row) => ({ auto_pay_enabled: false, ...row }));
const terms = { exclusivity: 'fixed_term', exclusivityEndDate: null, ipOwnership: 'creator', usageNote: TEXT };
const contracts: readonly Row[] = [
  ...CONTRACT_STATUSES.map((status) => ({ status, worker_id: null, start_date: null, end_date: null })),
  ...CONTRACT_TYPES.map((type) => ({ contract_type: type, employment_type: EMPLOYMENT_TYPE_OF[type], creator: null })),
  { deleted_at: LONG_AGO, title: TEXT },
  { creator: { terms: null, deliverables: [] } },
  { creator: { terms, deliverables: [deliverable(HUGE, 0), deliverable(TINY, 2_147_483_647)] } },
].map((row) => ({ external_reference: null, ...row }));

function deliverable(amount: string, sortOrder: number): Row {
  const id = '018f4e5c-7a3b-7c1d-9e2f-0123456789ab';
  return {
    id,
    platform: 'x',
    format: 'reel',
    brief: TEXT,
    dueDate: null,
    amount: { amount, currency: 'EUR' },
    sortOrder,
  };
}

/** Copies the workspace's first row, each copy with other values and new `ids`. @returns the ids of all its rows. */
async function copies(database: Client, table: string, workspaceId: string, rows: readonly Row[], ...ids: string[]) {
  const idsOf = `select id from ${table} where workspace_id = $1 order by created_at, id`;
  const { rows: own } = await database.query<{ id: string }>(idsOf, [workspaceId]);
  const fresh = ['id', ...ids].map((name) => `'${name}', gen_random_uuid()`).join(', ');
  const copy = `insert into ${table}
    select (jsonb_populate_record(t, jsonb_build_object(${fresh}) || $3::jsonb)).*
    from ${table} t where t.workspace_id = $1 and t.id = $2`;
  for (const row of rows) await database.query(copy, [workspaceId, own[0]!.id, JSON.stringify(row)]);
  return (await database.query<{ id: string }>(idsOf, [workspaceId])).rows.map(({ id }) => id);
}

/**
 * Adds rows with every enum value, null and extreme that the tables accept. @returns ids by the GraphQL field that
 * reads them.
 */
export async function addStrangeRows(database: Client, workspaceId: string): Promise<Record<string, string[]>> {
  return {
    timesheet: await copies(database, 'review.timesheet', workspaceId, timesheets),
    milestone: await copies(database, 'review.milestone', workspaceId, milestones),
    payment: await copies(database, 'payments.payment', workspaceId, payments, 'source_id'),
    contract: await copies(database, 'contracts.contract', workspaceId, contracts),
  };
}
