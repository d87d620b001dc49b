import type { Tenant } from '../stage/tenants.js';
import type { Crew } from './crew.js';

const EVERY_MS = 1_000;

/** In one statement, so that all rows are of the same moment. */
const WRONG = `
  select format('posting %s is off by %s %s', posting_id, sum(amount), currency) as what
    from payments.ledger_entry group by workspace_id, posting_id, currency having sum(amount) <> 0
  union all
  select format('%s of workspace %s is %s %s, its entries add up to %s', account, workspace_id, balance, currency, total)
    from payments.ledger_account full join (
      select workspace_id, account, currency, sum(amount) as total from payments.ledger_entry
      group by workspace_id, account, currency) as entries using (workspace_id, account, currency)
    where coalesce(balance, 0) <> coalesce(total, 0)
  union all
  select format('%s of workspace %s is %s %s', account, workspace_id, balance, currency)
    from payments.ledger_account where account in ('available', 'in_flight') and balance < 0`;

/** Checks the ledger in Postgres repeatedly; does nothing while Postgres is down. */
export async function audit(crew: Crew): Promise<void> {
  while (!crew.isOver) {
    const rows = await crew.stage.database.rows<{ what: string }>(WRONG).catch(() => null);
    if (rows) crew.history.log({ type: 'ledger', wrong: rows.map(({ what }) => what) });
    await crew.breathe(EVERY_MS);
  }
}

/** Checks balances at `/v1`: available and pending amounts are never negative. */
export async function watchBalances(crew: Crew, { viewer, id }: Tenant): Promise<void> {
  while (!crew.isOver) {
    const answer = await crew.door.ask({ method: 'GET', path: '/balances', key: viewer.secret }).catch(() => null);
    if (answer?.status === 200) {
      const { available, pending } = JSON.parse(answer.text) as Record<'available' | 'pending', { amount: string }[]>;
      const negative = [...available, ...pending].filter(({ amount }) => amount.startsWith('-'));
      const wrong = negative.map(({ amount }) => `/balances of workspace ${id} shows ${amount}`);
      crew.history.log({ type: 'ledger', wrong });
    }
    await crew.breathe(2 * EVERY_MS);
  }
}
