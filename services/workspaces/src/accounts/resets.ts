import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';
import { computed, columns, read, sql, type Sql, write } from '@payroll/store';
import { AccountTable } from '../store/account-tables.js';

export const RESET_LIFETIME = '30 min';

/** Mails to one account per day. After that, one of the links sent still works, or an operator helps. */
const RESETS_A_DAY = 20;

/** How long a link is kept, including used and revoked ones. */
const KEPT_FOR_COUNTING = '1 day';

/**
 * Creates a secret for each account with this (normalized) address, for a link in a mail. Skips accounts that have
 * reached the daily limit.
 */
export async function beginResets(em: EntityManager, email: string) {
  const workspaces = sql`array(
    select b.name from membership m join business b on b.id = m.workspace_id
    where m.account_id = account.id and m.left_at is null order by b.name)`;
  const accounts = await read(
    em,
    sql`select ${columns(AccountTable, 'id')}, ${computed('workspaces', 'text[]', workspaces)}
      from account where email = ${email} and ${RESETS_A_DAY}::int > (
        select count(*) from password_reset
        where account_id = account.id and expires_at > now() + ${RESET_LIFETIME}::interval - ${KEPT_FOR_COUNTING}::interval)
      order by created_at, id`,
  );
  const resets = accounts.map((account) => ({ ...account, secret: newSecret() }));
  await write(
    em,
    sql`insert into password_reset (secret_hash, account_id, expires_at)
      select secret_hash, account_id, now() + ${RESET_LIFETIME}::interval
      from unnest(${resets.map(({ secret }) => hashSecret(secret))}::text[], ${resets.map(({ id }) => id)}::uuid[])
        as reset (secret_hash, account_id)`,
  );
  return resets;
}

export type OpenReset = NonNullable<Awaited<ReturnType<typeof findReset>>>;

/** The account that the link is for; null if it was used, has expired or never existed. */
export async function findReset(em: EntityManager, secretHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name')}
      from password_reset reset join account on account.id = reset.account_id
      where reset.secret_hash = ${secretHash} and reset.expires_at > now()`,
  );
  return found ?? null;
}

/** Ends links that are still valid; they count towards the day's limit as before. */
export function endOpenResets(accountId: string, now: Instant): Sql {
  return sql`update password_reset set expires_at = ${now} where account_id = ${accountId} and expires_at > ${now}`;
}

export async function deleteExpiredResets(em: EntityManager): Promise<void> {
  await write(em, sql`delete from password_reset where expires_at < now() - ${KEPT_FOR_COUNTING}::interval`);
}
