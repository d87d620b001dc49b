import type { Judgement } from './judgement.js';

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
export const WORK: readonly Judgement[] = [
  {
    sentence: 'every approved piece of work has its payment',
    sql: `select format('%s %s of workspace %s has no payment %s', work.kind, work.id, work.workspace_id, work.payment_id) as what
      from ${APPROVED} left ${ITS_PAYMENT} where payment.id is null`,
  },
  {
    sentence: 'every payment is for an approved piece of work',
    sql: `select format('payment %s of workspace %s pays %s %s, which is not approved or has another payment',
        payment.id, payment.workspace_id, payment.source_type, payment.source_id) as what
      from ${APPROVED} right ${ITS_PAYMENT} where work.id is null`,
  },
  {
    sentence: 'a payment is of the amount, currency and contract that were approved',
    sql: `select format('%s %s is %s %s, its payment %s is %s %s',
        work.kind, work.id, work.amount, work.currency, payment.id, payment.gross, payment.currency) as what
      from ${APPROVED} ${ITS_PAYMENT}
      where (payment.gross, payment.currency, payment.contract_id) is distinct from
        (work.amount, work.currency, work.contract_id)`,
  },
  {
    sentence: 'what work says of its payment is how the payment stands',
    sql: `select format('%s %s takes payment %s for %s, it is %s',
        work.kind, work.id, payment.id, work.believed, payment.status) as what
      from ${APPROVED} ${ITS_PAYMENT}
      where case work.kind
        when 'timesheet' then work.believed is distinct from payment.status
        else coalesce(work.believed, 'open') <>
          case when payment.status in ('processing', 'completed') then payment.status else 'open' end end`,
  },
  {
    sentence: 'a net amount is the gross less its deductions',
    sql: `select format('payment %s: %s less %s is not %s', payment.id, payment.gross, sum(coalesce(amount, 0)), payment.net) as what
      from payments.payment left join payments.deduction on deduction.workspace_id = payment.workspace_id
        and deduction.payment_id = payment.id
      group by payment.workspace_id, payment.id having payment.net <> payment.gross - sum(coalesce(amount, 0))`,
  },
];
