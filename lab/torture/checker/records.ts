import type { DatabaseSwitch } from '@payroll/tests/support/database-switch';

interface WorkRow {
  id: string;
  workspace: string;
  contractId: string;
  status: string;
  paymentId: string | null;
}

export interface PaymentRow {
  id: string;
  workspace: string;
  sourceId: string;
  status: string;
  /** For a payment that is not settled: why it waits for a person or a day; null if it does not. */
  waitsFor: string | null;
  failureReason: string | null;
}

interface ContractRow {
  id: string;
  workspace: string;
  reference: string | null;
}

/** The rows of one database that rules compare. */
export interface Records {
  work: WorkRow[];
  payments: PaymentRow[];
  contracts: ContractRow[];
}

const WORK = `
  select id, workspace_id as workspace, contract_id as "contractId", status, payment_id as "paymentId"
    from review.timesheet
  union all select id, workspace_id, contract_id, status, payment_id from review.milestone`;

const PAYMENTS = `
  select id, workspace_id as workspace, source_id as "sourceId", status, failure_reason as "failureReason",
    case when status = 'pending' and scheduled_date > (now() at time zone 'UTC')::date then 'its day'
      when status = 'processing' then (select alarm from payments.payout_attempt attempt
        where attempt.payment_id = payment.id and alarm is not null limit 1) end as "waitsFor"
  from payments.payment`;

const CONTRACTS = `select id, workspace_id as workspace, external_reference as reference from contracts.contract`;

/** @param history a database that was replaced; by default the current one */
export async function readRecords(database: DatabaseSwitch, history?: string): Promise<Records> {
  const [work, payments, contracts] = await Promise.all([
    database.rows<WorkRow>(WORK, [], history),
    database.rows<PaymentRow>(PAYMENTS, [], history),
    database.rows<ContractRow>(CONTRACTS, [], history),
  ]);
  return { work, payments, contracts };
}

/** Inserts a second payment for paid work, under another id, and always rolls it back. */
const SECOND_PAYMENT = `
  begin;
  insert into payments.payment select another.* from (select * from payments.payment limit 1) as one,
    jsonb_populate_record(one::payments.payment, jsonb_build_object('id', gen_random_uuid())) as another;
  rollback`;

/** Whether Postgres itself would accept a second payment, if all other checks failed. */
export async function allowsSecondPayment(database: DatabaseSwitch): Promise<boolean> {
  return await database.rows(SECOND_PAYMENT).then(
    () => true,
    () => false,
  );
}

/** Changes that were committed after later ones of their workspace: a client that polled in between has missed them. */
const DISORDER = ['contracts', 'review', 'payments']
  .map(
    (schema) => `
      select format('${schema} of workspace %s: what is of %s was committed after what is of %s', workspace_id, at, before) as what
      from (
        select workspace_id, at, max(at) over (partition by workspace_id order by committed, at
          rows between unbounded preceding and 1 preceding) as before
        from (select workspace_id, at, pg_xact_commit_timestamp(xmin) as committed from ${schema}.audit_entry) entry
        where committed is not null
      ) as placed where at < before`,
  )
  .join(' union all ');

/** Needs a Postgres that keeps the times of commits. */
export async function disorderIn(database: DatabaseSwitch): Promise<string[]> {
  return (await database.rows<{ what: string }>(DISORDER)).map(({ what }) => what);
}
