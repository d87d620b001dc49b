import type { DatabaseSwitch } from '@payroll/tests/support/database-switch';

interface HeldWork {
  id: string;
  workspace: string;
  contractId: string;
  status: string;
  paymentId: string | null;
}

export interface HeldPayment {
  id: string;
  workspace: string;
  sourceId: string;
  status: string;
  /** Of a payment that is not settled: why a person or a day is waited for; null where nobody is. */
  waitsFor: string | null;
  failureReason: string | null;
}

interface HeldContract {
  id: string;
  workspace: string;
  reference: string | null;
}

/** What a history of Postgres holds, of what was asked for. */
export interface Testimony {
  work: HeldWork[];
  payments: HeldPayment[];
  contracts: HeldContract[];
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

/** @param history one that was left; else the present one */
export async function takeTestimony(database: DatabaseSwitch, history?: string): Promise<Testimony> {
  const [work, payments, contracts] = await Promise.all([
    database.rows<HeldWork>(WORK, [], history),
    database.rows<HeldPayment>(PAYMENTS, [], history),
    database.rows<HeldContract>(CONTRACTS, [], history),
  ]);
  return { work, payments, contracts };
}

/** A second payment of work that has one, under an id of its own. It is taken back in any case. */
const SECOND_PAYMENT = `
  begin;
  insert into payments.payment select another.* from (select * from payments.payment limit 1) as one,
    jsonb_populate_record(one::payments.payment, jsonb_build_object('id', gen_random_uuid())) as another;
  rollback`;

/** Whether Postgres itself lets work be paid twice, should everything else go wrong. */
export async function allowsSecondPayment(database: DatabaseSwitch): Promise<boolean> {
  return await database.rows(SECOND_PAYMENT).then(
    () => true,
    () => false,
  );
}

/** Changes that were committed after later ones of their workspace: whoever polled in between has missed them for good. */
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
