import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, sql, write } from '@payroll/store';
import { AccountTable } from '../store/account-tables.js';
import { PayoutStopTable } from '../store/mail-tables.js';

export type PayoutStop = NonNullable<Awaited<ReturnType<typeof findPayoutStop>>>;

/** The change that a link stops; null for any other secret. The table has a row for each change of the last days only. */
export async function findPayoutStop(em: EntityManager, secretHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(PayoutStopTable, 'changeId', 'workspaceId', 'accountId', 'until')},
        ${columns(AccountTable, 'email')}, ${computed('workspaceName', 'text', sql`business.name`)}
      from stop_link join payout_stop on payout_stop.change_id = stop_link.about_id
        -- The worker may sign in with another account since.
        and payout_stop.account_id = stop_link.account_id
      join account on account.id = payout_stop.account_id join business on business.id = workspace_id
      where stop_link.secret_hash = ${secretHash}`,
  );
  return found ?? null;
}

/** A day later, so that a person who opens the link again reads that the change was stopped. */
export async function deleteExpiredPayoutStops(em: EntityManager): Promise<void> {
  await write(em, sql`delete from payout_stop where until < now() - interval '1 day'`);
}
