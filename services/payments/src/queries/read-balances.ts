import type { EntityManager } from '@mikro-orm/postgresql';
import { Money, toInstant } from '@payroll/kernel';
import { sql } from 'kysely';
import type { Balances } from '../domain/ledger.js';

/** One statement: available, pending and asOf are of the same moment. */
export async function readBalances(em: EntityManager, workspaceId: string): Promise<Balances> {
  const { rows } = await sql<Row>`
    select asked.as_of::text as "asOf", totals.currency, totals.available, totals.pending
    from (select statement_timestamp() as as_of) asked
    left join (
      select currency, sum(available) as available, sum(pending) as pending
      from (
        select currency, balance as available, 0 as pending from ledger_account
        where workspace_id = ${workspaceId} and account = 'available'
        union all
        select currency, 0, net from payment
        where workspace_id = ${workspaceId} and status in ('pending', 'processing')
      ) each
      group by currency
    ) totals on true
    order by totals.currency`.execute(em.getKysely());
  const totals = rows.filter((row): row is Row & Total => row.currency !== null);
  return {
    available: totals.map(({ currency, available }) => Money.stored(available, currency).toJSON()),
    pending: totals.map(({ currency, pending }) => Money.stored(pending, currency).toJSON()),
    asOf: toInstant(rows[0]!.asOf),
  };
}

interface Total {
  currency: string;
  available: string;
  pending: string;
}

/** A workspace without money has one row, which only says when that was. */
type Row = { asOf: string } & (Total | { [Key in keyof Total]: null });
