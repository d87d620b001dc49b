import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, sql, write } from '@payroll/store';
import { FORMER_DAYS } from '../domain/account.js';
import { AddressChangeTable } from '../store/account-tables.js';

/** The change that this link makes or has made, for the account itself; null if it is undone, replaced or too old. */
export async function findRequested(em: EntityManager, accountId: string, secretHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(AddressChangeTable, 'email')}, ${computed('isMade', 'boolean', sql`changed_at is not null`)}
      from address_change join account on account.id = account_id
      where account_id = ${accountId} and secret_hash = ${secretHash}
        and case when changed_at is null then address_change.expires_at > now() else address_change.email = account.email end`,
  );
  return found ?? null;
}

/** The mail server has refused the mail with this link, so it does not count for the day. */
export async function forgetLink(em: EntityManager, secretHash: string): Promise<void> {
  await write(em, sql`delete from address_change where secret_hash = ${secretHash} and changed_at is null`);
}

export async function deleteExpiredAddresses(em: EntityManager): Promise<void> {
  const days = sql`make_interval(days => ${FORMER_DAYS})`;
  await write(em, sql`delete from address_change where coalesce(changed_at, created_at) < now() - ${days}`);
  await write(em, sql`delete from stop_link where created_at < now() - ${days}`);
}
