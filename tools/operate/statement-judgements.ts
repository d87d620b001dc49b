import type { ConsistencyChecks } from './judgements.js';

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
