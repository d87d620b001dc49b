import { SERVICES } from '@payroll/kernel';
import type { Client } from 'pg';

/** What is true of a sound system, and how to find what contradicts it: each row is one sentence, in `what`. */
type Judgements = Readonly<Record<string, string>>;

/** Work that has been approved, whatever became of its payment since. */
const APPROVED = `(
  select workspace_id, id, 'timesheet' as kind, contract_id, payment_id, currency, total as amount,
    payment_status as believed
  from review.timesheet where status = 'approved'
  union all
  select workspace_id, id, 'milestone', contract_id, payment_id, currency, amount,
    case status when 'paid' then 'completed' when 'completed' then 'processing' end
  from review.milestone where status in ('approved', 'completed', 'paid')) as work`;

const ITS_PAYMENT = `join payments.payment on payment.workspace_id = work.workspace_id and payment.id = work.payment_id
  and payment.source_type = work.kind and payment.source_id = work.id`;

/** Approvals and payments: two services, one truth. */
const WORK: Judgements = {
  'every approved piece of work has its payment': `select format('%s %s of workspace %s has no payment %s', work.kind, work.id, work.workspace_id, work.payment_id) as what
      from ${APPROVED} left ${ITS_PAYMENT} where payment.id is null`,
  'every payment is for an approved piece of work': `select format('payment %s of workspace %s pays %s %s, which is not approved or has another payment',
        payment.id, payment.workspace_id, payment.source_type, payment.source_id) as what
      from ${APPROVED} right ${ITS_PAYMENT} where work.id is null`,
  'a payment is of the amount, currency and contract that were approved': `select format('%s %s is %s %s, its payment %s is %s %s',
        work.kind, work.id, work.amount, work.currency, payment.id, payment.gross, payment.currency) as what
      from ${APPROVED} ${ITS_PAYMENT}
      where (payment.gross, payment.currency, payment.contract_id) is distinct from
        (work.amount, work.currency, work.contract_id)`,
  'what work says of its payment is how the payment stands': `select format('%s %s takes payment %s for %s, it is %s',
        work.kind, work.id, payment.id, work.believed, payment.status) as what
      from ${APPROVED} ${ITS_PAYMENT}
      where case work.kind
        when 'timesheet' then work.believed is distinct from payment.status
        else coalesce(work.believed, 'open') <>
          case when payment.status in ('processing', 'completed') then payment.status else 'open' end end`,
  'a net amount is the gross less its deductions': `select format('payment %s: %s less %s is not %s', payment.id, payment.gross, sum(coalesce(amount, 0)), payment.net) as what
      from payments.payment left join payments.deduction on deduction.workspace_id = payment.workspace_id
        and deduction.payment_id = payment.id
      group by payment.workspace_id, payment.id having payment.net <> payment.gross - sum(coalesce(amount, 0))`,
};

/** Money: nothing appears, nothing vanishes, and every completed payment left once. */
const LEDGER: Judgements = {
  'every posting adds up to zero in each currency': `select format('posting %s of workspace %s is off by %s %s', posting_id, workspace_id, sum(amount), currency) as what
      from payments.ledger_entry group by workspace_id, posting_id, currency having sum(amount) <> 0`,
  'every balance is what its entries add up to': `select format('%s of workspace %s is %s %s, its entries add up to %s', account, workspace_id,
        coalesce(balance, 0), currency, coalesce(total, 0)) as what
      from payments.ledger_account full join (
        select workspace_id, account, currency, sum(amount) as total
        from payments.ledger_entry group by workspace_id, account, currency) as entries
        using (workspace_id, account, currency)
      where coalesce(balance, 0) <> coalesce(total, 0)`,
  'a payment is settled in the ledger if it is completed, and only then': `select format('payment %s of workspace %s is %s and has %s settlements', payment.id, payment.workspace_id,
        payment.status, count(posting.id)) as what
      from payments.payment left join payments.ledger_posting as posting
        on posting.workspace_id = payment.workspace_id and posting.payment_id = payment.id and posting.kind = 'settlement'
      group by payment.workspace_id, payment.id
      having count(posting.id) <> case payment.status when 'completed' then 1 else 0 end`,
  'what is in flight is the net of the payments that are being processed': `select format('workspace %s: %s %s are in flight, %s are being processed', workspace_id,
        coalesce(balance, 0), currency, coalesce(net, 0)) as what
      from (select * from payments.ledger_account where account = 'in_flight') as account full join (
        select workspace_id, currency, sum(net) as net from payments.payment
        where status = 'processing' group by workspace_id, currency) as processing
        using (workspace_id, currency)
      where coalesce(balance, 0) <> coalesce(net, 0)`,
};

const inEach = (select: (schema: string) => string): string => SERVICES.map(select).join(' union all ');

/** Nothing is on its way between services, and nothing got lost there. */
const MESSAGES: Judgements = {
  'every event has been confirmed by every service that needs it': inEach(
    (schema) => `select format('%s %s of ${schema} waits for %s since %s', type, id, awaiting, recorded_at) as what
        from ${schema}.outbox_event where due_at is not null`,
  ),
  'no event was given up as a dead letter': inEach(
    (schema) => `select format('${schema} could not apply %s %s: %s', type, event_id, reason) as what
        from ${schema}.dead_letter`,
  ),
};

/** How many contradictions are told of; all are counted. */
const EXAMPLES = 3;

export type Verdict = Awaited<ReturnType<typeof verdictOn>>;

/** Judges one moment of the whole database: what a transaction commits meanwhile is not seen by halves. */
export async function judge(client: Client): Promise<Verdict[]> {
  await client.query('begin isolation level repeatable read read only');
  try {
    return await judgeNow(client);
  } finally {
    await client.query('rollback');
  }
}

export async function judgeNow(client: Client): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const judgement of Object.entries({ ...WORK, ...LEDGER, ...MESSAGES })) {
    verdicts.push(await verdictOn(client, judgement));
  }
  return verdicts;
}

async function verdictOn(client: Client, [sentence, sql]: [string, string]) {
  const { rows } = await client.query<{ what: string; total: number }>(
    `select what, (count(*) over ())::int as total from (${sql}) as found limit ${EXAMPLES}`,
  );
  return { sentence, findings: rows[0]?.total ?? 0, examples: rows.map(({ what }) => what) };
}
