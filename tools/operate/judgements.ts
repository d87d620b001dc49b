import { eventRoutes } from '@payroll/events';
import { SERVICES, systemOrigin } from '@payroll/kernel';
import { GENERATION } from '@payroll/store';

/** Invariants of a healthy system, each a sentence with a query for violations: a row has one sentence, in `what`. */
type ConsistencyChecks = Readonly<Record<string, string>>;

/** Work that has been approved, whatever the state of its payment. */
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

/** Approvals and payments have to agree between two services. */
const WORK: ConsistencyChecks = {
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

/** Money: none appears or vanishes, and every completed payment was paid out once. */
const LEDGER: ConsistencyChecks = {
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

/** Compares payout attempts with the payments they are for and with the money they moved. */
const PAYOUTS: ConsistencyChecks = {
  'a payment has a payout under way, of its net, while it is being processed, and only then': `select format('payment %s of workspace %s is %s over %s %s, and %s', payment.id, payment.workspace_id, payment.status,
        payment.net, payment.currency, case when attempt.number is null then 'no payout is under way'
          else format('attempt %s over %s %s is under way', attempt.number, attempt.amount, attempt.currency) end) as what
      from payments.payment left join payments.payout_attempt as attempt on attempt.workspace_id = payment.workspace_id
        and attempt.payment_id = payment.id and attempt.status in ('prepared', 'submitted')
      where (payment.status = 'processing') <> (attempt.number is not null)
        or (attempt.amount, attempt.currency) <> (payment.net, payment.currency)`,
  'a payment is completed by a payout of its net that settled, and only by one': `select format('payment %s of workspace %s is %s over %s %s, and %s', payment.id, payment.workspace_id, payment.status,
        payment.net, payment.currency, case when attempt.number is null then 'no payout settled'
          else format('attempt %s over %s %s settled', attempt.number, attempt.amount, attempt.currency) end) as what
      from payments.payment left join payments.payout_attempt as attempt on attempt.workspace_id = payment.workspace_id
        and attempt.payment_id = payment.id and attempt.status = 'settled'
      where (payment.status = 'completed' and payment.net > 0) <> (attempt.number is not null)
        or (attempt.amount, attempt.currency) <> (payment.net, payment.currency)`,
  'the ledger has moved for each payout what became of it': `select format('attempt %s of payment %s in workspace %s is %s over %s %s, the ledger moved %s', number, payment_id,
        workspace_id, coalesce(status, 'unknown'), coalesce(amount, 0), coalesce(currency, ''), coalesce(moved, 'nothing')) as what
      from payments.payout_attempt full join (
        select workspace_id, payment_id, posting.attempt as number,
          string_agg(format('%s %s %s', posting.kind, entry.amount, entry.currency), ', ' order by posting.kind) as moved,
          array_agg(distinct entry.currency) as currencies,
          coalesce(sum(entry.amount) filter (where posting.kind = 'reservation'), 0) as reserved,
          coalesce(sum(entry.amount) filter (where posting.kind = 'release'), 0) as released,
          coalesce(sum(entry.amount) filter (where posting.kind = 'settlement'), 0) as settled
        from payments.ledger_posting as posting join payments.ledger_entry as entry using (workspace_id)
        where entry.posting_id = posting.id and entry.account = 'in_flight' and posting.attempt is not null
        group by workspace_id, payment_id, posting.attempt) as moves using (workspace_id, payment_id, number)
      where (array[currency], amount, case status when 'declined' then -amount else 0 end,
          case status when 'settled' then -amount else 0 end)
        is distinct from (currencies, reserved, released, settled)`,
  'what is owed to workers, and by them, is what payouts paid too little or too much': `select format('payment %s of workspace %s: payouts paid %s %s more than they should, the ledger says %s', payment_id, workspace_id,
        coalesce(excess, 0), currency, coalesce(booked, 0)) as what
      from (
        select workspace_id, payment_id, currency, sum(excess) as excess from (
          select workspace_id, payment_id, currency, -amount as excess
            from payments.payout_attempt where status = 'settled' and heard is not null
          union all
          select workspace_id, payment_id, heard->'amount'->>'currency', (heard->'amount'->>'amount')::numeric
            from payments.payout_attempt where status = 'settled' and heard is not null) as each
        group by workspace_id, payment_id, currency having sum(excess) <> 0) as paid
      full join (
        select workspace_id, payment_id, currency, sum(amount) as booked
        from payments.ledger_entry as entry join payments.ledger_posting as posting using (workspace_id)
        where entry.posting_id = posting.id and posting.payment_id is not null
          and account in ('workers_payable', 'workers_receivable')
        group by workspace_id, payment_id, currency) as ledger using (workspace_id, payment_id, currency)
      where coalesce(excess, 0) <> coalesce(booked, 0)`,
};

/** Until payments has compared the orders in the present generation of the database, `unclaimed_order` says nothing (ADR 04). */
export const UNCOMPARED_ORDERS = `select 'payments has not compared them yet: it does so half a minute after Postgres starts or another server takes over, and pays nothing out before' as what
      where not exists (select from payments.order_check where checked_at is not null and generation = ${GENERATION.texts.join('')})`;

/** Orders of the provider that payments has compared with its attempts in each generation of the database (ADR 04). */
const ORDERS: ConsistencyChecks = {
  'the orders of the provider have been compared with this database': UNCOMPARED_ORDERS,
  'every order of the provider was made by a payment here': `select format('the provider has an order of %s %s under %s (%s), whose work is lost: worker %s of workspace %s is not paid',
        amount, currency, idempotency_key, provider_reference, worker_id, workspace_id) as what
      from payments.unclaimed_order where status = 'open'`,
};

const inEach = (select: (schema: string) => string): string => SERVICES.map(select).join(' union all ');

const everyRoute = Object.entries(eventRoutes).flatMap(([type, { publisher, consumers }]) =>
  consumers.map((consumer) => ({ type, publisher, consumer })),
);

/** An event is applied as an operation of the system. */
const { principalId: SYSTEM } = systemOrigin('', 'event', '').actor;

/** No event is in transit between services, and none was lost there. */
const MESSAGES: ConsistencyChecks = {
  'every event has been confirmed by every service that needs it': inEach(
    (
      schema,
    ) => `select format('%s %s of ${schema} waits for %s since %s', type, id, consumer, event.recorded_at) as what
        from ${schema}.outbox_event event join ${schema}.outbox_delivery on event_id = id`,
  ),
  'what a service has confirmed it has applied': everyRoute
    .map(
      ({
        type,
        publisher,
        consumer,
      }) => `select format('${consumer} has confirmed %s %s of ${publisher} and has not applied it', type, id) as what
        from ${publisher}.outbox_event as event where type = '${type}'
          and not exists (select from ${publisher}.outbox_delivery where event_id = event.id and consumer = '${consumer}')
          and not exists (
            select from ${consumer}.applied_operation as operation where operation.workspace_id = event.workspace_id
              and principal_id = '${SYSTEM}' and operation_id = event.id)
          and not exists (select from ${consumer}.dead_letter where event_id = event.id)`,
    )
    .join(' union all '),
  'no dead letter waits for a person': inEach(
    (schema) => `select format('${schema} could not apply %s %s: %s', type, event_id, reason) as what
        from ${schema}.dead_letter where state in ('waiting', 'put_back')`,
  ),
};

export const consistencyChecks: ConsistencyChecks = { ...WORK, ...LEDGER, ...PAYOUTS, ...ORDERS, ...MESSAGES };

/** $1: the lines of a statement, $2: its periods. */
const BOTH_SIDES = `with line as (
    select distinct * from jsonb_to_recordset($1::jsonb) as line ("idempotencyKey" text, reference text, status text,
      amount numeric, currency text, method text, destination text, "finishedAt" timestamptz)),
  period as (select range_agg(tstzrange("from", "to")) as covered
    from jsonb_to_recordset($2::jsonb) as period ("from" timestamptz, "to" timestamptz)),
  attempt as (select workspace_id, payment_id, number, status, created_at, updated_at, idempotency_key as key,
      -- Once two people have recorded that another amount was paid, that is what has to agree.
      case when ended then (heard->'amount'->>'amount')::numeric else amount end as amount,
      case when ended then heard->'amount'->>'currency' else currency end as currency,
      case when ended then heard->>'payoutMethod' else payout_method end as payout_method,
      case when ended then heard->>'destination' else destination end as destination
    from payments.payout_attempt, lateral (select heard is not null and status in ('settled', 'declined') as ended) as is_over)`;

const TOGETHER = 'from line join attempt on attempt.key = line."idempotencyKey"';

/** Two people have ended the order because its work was not here; approved later, the work is paid under another key. */
const isNotDismissed = `not exists (select from payments.unclaimed_order
  where idempotency_key = line."idempotencyKey" and unclaimed_order.status = 'dismissed')`;

/** Compares the provider's statement with our own records. */
export const statementJudgements: ConsistencyChecks = {
  // An order whose attempt a restore has lost, and that was declined, has moved no money: there is nothing to do about it.
  'what the provider settled was ordered here': `${BOTH_SIDES}
    select format('the provider has settled %s %s under %s (%s), which nobody has ordered', line.amount, line.currency,
      line."idempotencyKey", line.reference) as what
    from line left join attempt on attempt.key = line."idempotencyKey" where line.status = 'settled' and attempt.key is null
      and ${isNotDismissed}`,
  'the provider paid what was ordered': `${BOTH_SIDES}
    select format('attempt %s of payment %s (%s) is %s %s, the provider has %s %s%s', number, payment_id, key, attempt.amount,
      attempt.currency, line.amount, line.currency,
      case when (payout_method, attempt.destination) <> (method, line.destination) then ' to another destination' end) as what
    ${TOGETHER} where (attempt.amount, attempt.currency, payout_method, attempt.destination)
      <> (line.amount, line.currency, method, line.destination)`,
  'what became of an order at the provider is known here': `${BOTH_SIDES}
    select format('the provider has %s attempt %s of payment %s (%s), here it is %s', line.status, number, payment_id, key,
      attempt.status) as what
    ${TOGETHER} where attempt.status <> line.status`,
  'what is settled or declined here was so at the provider': `${BOTH_SIDES}
    select format('attempt %s of payment %s (%s) over %s %s is %s, and not in the statement', number, payment_id, key, amount,
      currency, status) as what
    from attempt, period where status in ('settled', 'declined')
      -- An attempt that took an order over is younger than it.
      and covered @> tstzrange(least(created_at, (select ordered_at from payments.unclaimed_order where idempotency_key = key)),
        updated_at, '[]')
      and not exists (select from line where "idempotencyKey" = key)`,
  // An order that two people have claimed for another payment paid that one's work, not the work that its key names.
  'the provider paid a piece of work once': `${BOTH_SIDES}
    select format('%s was paid %s times: %s', work, count(*), string_agg(format('%s %s (%s)', amount, currency, reference), ', ')) as what
    from (
      select line.amount, line.currency, line.reference,
        coalesce(source_type || ':' || source_id, regexp_replace(line."idempotencyKey", ':[0-9]+$', '')) as work
      from line left join (attempt join payments.payment on payment.workspace_id = attempt.workspace_id
        and payment.id = attempt.payment_id) on attempt.key = line."idempotencyKey"
      where line.status = 'settled' and ${isNotDismissed}) as paid
    group by work having count(*) > 1`,
};
