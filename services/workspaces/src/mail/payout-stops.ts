import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret, newSecret } from '@payroll/pages';
import { as, columns, read, sql, write } from '@payroll/store';
import { AccountTable } from '../store/account-tables.js';
import { PayoutStopTable } from '../store/mail-tables.js';

/** The secret of a link for a mail that is about to be sent; null if the change can no longer be stopped. */
export async function newStopSecret(em: EntityManager, changeId: string): Promise<string | null> {
  const secret = newSecret();
  const added = await write(
    em,
    sql`update payout_stop set secret_hashes = array_append(secret_hashes, ${hashSecret(secret)})
      where change_id = ${changeId}`,
  );
  return added === 1 ? secret : null;
}

export type PayoutStop = NonNullable<Awaited<ReturnType<typeof findPayoutStop>>>;

/** The change that a link stops; null for any other secret. The table has a row for each change of the last days only. */
export async function findPayoutStop(em: EntityManager, secretHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(PayoutStopTable, 'changeId', 'workspaceId', 'accountId', 'until')},
        ${columns(AccountTable, 'email')}, ${as('workspaceName', 'text', sql`business.name`)}
      from payout_stop join account on account.id = account_id join business on business.id = workspace_id
      where ${secretHash} = any(secret_hashes)`,
  );
  return found ?? null;
}

/** A day later, so that a person who opens the link again reads that the change was stopped. */
export async function forgetPayoutStops(em: EntityManager): Promise<void> {
  await write(em, sql`delete from payout_stop where until < now() - interval '1 day'`);
}
