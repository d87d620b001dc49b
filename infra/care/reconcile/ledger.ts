import type { Judgement } from './judgement.js';

/** Money: nothing appears, nothing vanishes, and every completed payment left once. */
export const LEDGER: readonly Judgement[] = [
  {
    sentence: 'every posting adds up to zero in each currency',
    sql: `select format('posting %s of workspace %s is off by %s %s', posting_id, workspace_id, sum(amount), currency) as what
      from payments.ledger_entry group by workspace_id, posting_id, currency having sum(amount) <> 0`,
  },
  {
    sentence: 'every balance is what its entries add up to',
    sql: `select format('%s of workspace %s is %s %s, its entries add up to %s', account, workspace_id,
        coalesce(balance, 0), currency, coalesce(total, 0)) as what
      from payments.ledger_account full join (
        select workspace_id, account, currency, sum(amount) as total
        from payments.ledger_entry group by workspace_id, account, currency) as entries
        using (workspace_id, account, currency)
      where coalesce(balance, 0) <> coalesce(total, 0)`,
  },
  {
    sentence: 'a payment is settled in the ledger if it is completed, and only then',
    sql: `select format('payment %s of workspace %s is %s and has %s settlements', payment.id, payment.workspace_id,
        payment.status, count(posting.id)) as what
      from payments.payment left join payments.ledger_posting as posting
        on posting.workspace_id = payment.workspace_id and posting.payment_id = payment.id and posting.kind = 'settlement'
      group by payment.workspace_id, payment.id
      having count(posting.id) <> case payment.status when 'completed' then 1 else 0 end`,
  },
  {
    sentence: 'what is in flight is the net of the payments that are being processed',
    sql: `select format('workspace %s: %s %s are in flight, %s are being processed', workspace_id,
        coalesce(balance, 0), currency, coalesce(net, 0)) as what
      from (select * from payments.ledger_account where account = 'in_flight') as account full join (
        select workspace_id, currency, sum(net) as net from payments.payment
        where status = 'processing' group by workspace_id, currency) as processing
        using (workspace_id, currency)
      where coalesce(balance, 0) <> coalesce(net, 0)`,
  },
];
