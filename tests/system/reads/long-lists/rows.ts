import type { Client } from 'pg';

export const WORKSPACE = '0197a000-0000-7000-8000-000000000001';
export const PRINCIPAL = '0197a000-0000-7000-8000-0000000000aa';

/** Rows of one workspace in the lists of `/v1`: 2,000 pages of 100. */
export const ROWS = 200_000;
/** Enough that a sequential scan is never the cheapest plan. */
const ROWS_OF_INTERNAL_LISTS = 20_000;
/** Few contracts, each with much work. */
const CONTRACTS = 50;

/** An id for each number; `kind` keeps the ids of different tables apart. */
const idOf = (kind: number, n: number | string): string =>
  `('0197a${kind.toString(16).padStart(3, '0')}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

export const contractId = (n: number): string => `0197a001-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

const at = (micros: string): string => `timestamptz '2026-01-01T00:00:00Z' + (${micros}) * interval '1 ms'`;
const created = at('n');
/** Update times in another order than creation times. */
const updated = at(`400000 + (n * 7919) % ${ROWS}`);
const oneOf = (...words: string[]): string =>
  `(array[${words.map((word) => `'${word}'`).join(', ')}])[1 + n % ${words.length}]`;
const contractOf = idOf(1, `n % ${CONTRACTS}`);

const INSERTS: readonly [table: string, rows: number, columns: string, values: string][] = [
  [
    'contracts.contract',
    ROWS,
    `id, revision, title, employment_type, contract_type, status, worker_id, currency, payment_due_days,
     auto_pay_enabled, timesheet_approval_required, draft, created_by_principal, external_reference, created_at,
     updated_at, deleted_at`,
    `${idOf(1, 'n')}, 1, 'Contract', 'contractor', 'contractor_payg', ${oneOf('draft', 'active', 'completed')},
     ${idOf(2, 'n % 1000')}, 'EUR', 0, true, true, '{}', '${PRINCIPAL}', 'ref-' || n, ${created}, ${updated},
     case when n % 20 = 0 then ${updated} end`,
  ],
  [
    'contracts.worker',
    ROWS_OF_INTERNAL_LISTS,
    'id, name, email, created_at, updated_at',
    `${idOf(2, 'n')}, 'Worker', 'w@example.org', ${created}, ${updated}`,
  ],
  [
    'review.timesheet',
    ROWS,
    `id, contract_id, revision, status, period_start, period_end, units_worked, currency, rate, total,
     payment_scheduled_date, auto_pay_enabled, payment_sequence, submitted_at, created_at, updated_at`,
    `${idOf(3, 'n')}, ${contractOf}, 1, ${oneOf('submitted', 'approved', 'rejected')}, '2026-01-01', '2026-01-31', 8,
     'EUR', 50, 400, '2026-02-28', true, 0, ${created}, ${created}, ${updated}`,
  ],
  [
    'review.milestone',
    ROWS,
    `id, contract_id, revision, title, status, currency, amount, payment_sequence, sort_order, draft_revision,
     created_at, updated_at`,
    `${idOf(4, 'n')}, ${contractOf}, 1, 'Milestone', ${oneOf('pending', 'submitted', 'paid')}, 'EUR', 100, 0, 0, 0,
     ${created}, ${updated}`,
  ],
  [
    'payments.payment',
    ROWS,
    `id, contract_id, source_type, source_id, status, sequence, currency, gross, net, auto_pay_enabled, created_at,
     updated_at`,
    `${idOf(5, 'n')}, ${contractOf}, 'timesheet', ${idOf(3, 'n')}, ${oneOf('pending', 'processing', 'completed')}, 1,
     'EUR', 400, 400, false, ${created}, ${updated}`,
  ],
  [
    'payments.payee',
    ROWS_OF_INTERNAL_LISTS,
    'id, worker_id, payout_method, destination, verification_status, created_at, updated_at',
    `${idOf(6, 'n')}, ${idOf(2, 'n')}, 'wise', 'x', ${oneOf('unverified', 'verified', 'rejected')}, ${created}, ${updated}`,
  ],
  [
    'payments.ledger_posting',
    ROWS_OF_INTERNAL_LISTS,
    'id, kind, payment_id, attempt, created_at',
    `${idOf(7, 'n')}, 'reservation', ${idOf(5, 'n')}, 1, ${created}`,
  ],
  [
    'payments.ledger_entry',
    ROWS_OF_INTERNAL_LISTS,
    'id, posting_id, account, currency, amount, created_at',
    `${idOf(8, 'n')}, ${idOf(7, 'n')}, ${oneOf('available', 'settled')}, ${oneOf('EUR', 'USD', 'GBP')}, 1, ${created}`,
  ],
  [
    'workspaces.membership',
    ROWS_OF_INTERNAL_LISTS,
    'id, name, email, role, left_at, created_at, updated_at',
    `${idOf(9, 'n')}, 'Member', 'm' || n || '@example.org', 'viewer', case when n % 3 = 0 then ${updated} end,
     ${created}, ${updated}`,
  ],
  [
    'workspaces.api_key',
    ROWS_OF_INTERNAL_LISTS,
    'id, principal_id, membership_id, name, scopes, secret_hash, expires_at, created_at',
    `${idOf(10, 'n')}, ${idOf(11, 'n')}, ${idOf(9, 'n')}, 'Key', '{read}', 'hash', ${updated}, ${created}`,
  ],
  [
    'review.audit_entry',
    ROWS_OF_INTERNAL_LISTS,
    'id, at, actor_kind, principal_id, via, request_id, action, subject_id, change',
    `${idOf(12, 'n')}, ${created}, 'api_key', ${idOf(11, 'n % 40')}, 'rest', 'r', 'timesheet.approved',
     ${idOf(3, 'n % 40')}, '{}'`,
  ],
];

/** Fills the tables as their owner, with triggers disabled, such as the check that a posting balances. */
export async function fill(owner: Client): Promise<void> {
  await owner.query('set session_replication_role = replica');
  for (const [table, rows, columns, values] of INSERTS) {
    await owner.query(`insert into ${table} (workspace_id, ${columns})
      select '${WORKSPACE}', ${values} from generate_series(1, ${rows}) n`);
    await owner.query(`vacuum analyze ${table}`);
  }
}
