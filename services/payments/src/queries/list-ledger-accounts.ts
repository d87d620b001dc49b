import type { EntityManager } from '@mikro-orm/postgresql';
import { Money } from '@payroll/kernel';
import { sql } from 'kysely';
import type { LedgerAccount, LedgerAccountName } from '../domain/ledger.js';

/** Every account with the balance it keeps and, reckoned anew in the same statement, the sum of its entries. */
export async function listLedgerAccounts(em: EntityManager, workspaceId: string): Promise<LedgerAccount[]> {
  const { rows } = await sql<Row>`
    select account, currency, kept.balance, coalesce(reckoned.total, 0) as total
    from (select account, currency, balance from ledger_account where workspace_id = ${workspaceId}) kept
    left join (
      select account, currency, sum(amount) as total from ledger_entry
      where workspace_id = ${workspaceId} group by account, currency
    ) reckoned using (account, currency)
    order by currency, account`.execute(em.getKysely());
  return rows.map(({ account, currency, balance, total }) => ({
    account,
    balance: Money.stored(balance, currency).toJSON(),
    entriesTotal: Money.stored(total, currency).toJSON(),
  }));
}

interface Row {
  account: LedgerAccountName;
  currency: string;
  balance: string;
  total: string;
}
