import { newId, type Instant } from '@payroll/kernel';
import { hashSecret, newSecret } from '@payroll/pages';
import type { EntityManager } from '@mikro-orm/postgresql';
import { computed, columns, read, readOne, sql, type Sql, write, type TableRow } from '@payroll/store';
import { AccountTable, AddressChangeTable } from '../store/account-tables.js';
import { FORMER_DAYS, UNDO_DAYS } from '../domain/account.js';
import type { NoticeKind } from '../domain/notice.js';
import { type NoticeTable, PayoutStopTable } from '../store/mail-tables.js';

/** The link is shown only once, to be sent to the invited person. */
export function newInvitationLink(origin: string) {
  const secret = newSecret();
  return { id: newId(), secretHash: hashSecret(secret), link: `${origin}/invitations/${secret}` };
}

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
  return await readOne(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name')}
      from password_reset reset join account on account.id = reset.account_id
      where reset.secret_hash = ${secretHash} and reset.expires_at > now()`,
  );
}

/** Ends links that are still valid; they count towards the day's limit as before. */
export function endOpenResets(accountId: string, now: Instant): Sql {
  return sql`update password_reset set expires_at = ${now} where account_id = ${accountId} and expires_at > ${now}`;
}

export async function deleteExpiredResets(em: EntityManager): Promise<void> {
  await write(em, sql`delete from password_reset where expires_at < now() - ${KEPT_FOR_COUNTING}::interval`);
}

/** The change of address that this link makes or has made, for the account itself; null if it is undone, replaced or too old. */
export async function findRequestedAddress(em: EntityManager, accountId: string, secretHash: string) {
  return await readOne(
    em,
    sql`select ${columns(AddressChangeTable, 'email')}, ${computed('isMade', 'boolean', sql`changed_at is not null`)}
      from address_change join account on account.id = account_id
      where account_id = ${accountId} and secret_hash = ${secretHash}
        and case when changed_at is null then address_change.expires_at > now() else address_change.email = account.email end`,
  );
}

/** The mail server has refused the mail with this link, so it does not count for the day. */
export async function forgetAddressLink(em: EntityManager, secretHash: string): Promise<void> {
  await write(em, sql`delete from address_change where secret_hash = ${secretHash} and changed_at is null`);
}

export async function deleteExpiredAddresses(em: EntityManager): Promise<void> {
  const days = sql`make_interval(days => ${FORMER_DAYS})`;
  await write(em, sql`delete from address_change where coalesce(changed_at, created_at) < now() - ${days}`);
  await write(em, sql`delete from stop_link where created_at < now() - ${days}`);
}

/** The pages that stop the change that a mail reports. */
export const STOP_PATHS = {
  address_changed: '/keep-address/',
  closing_requested: '/keep-account/',
  payout_details_changed: '/payout-details/stop/',
} as const satisfies Partial<Record<NoticeKind, string>>;

/** For one try of a mail: only the hash of its secret stays. Undefined for mails without such a link. */
export async function newStopLink(
  em: EntityManager,
  { kind, accountId, aboutId }: Pick<TableRow<typeof NoticeTable>, 'kind' | 'accountId' | 'aboutId'>,
  origin: string,
): Promise<string | undefined> {
  const path = (STOP_PATHS as Partial<Record<NoticeKind, string>>)[kind];
  if (path === undefined) return undefined;
  const secret = newSecret();
  await write(
    em,
    sql`insert into stop_link (secret_hash, account_id, about_id, created_at)
      values (${hashSecret(secret)}, ${accountId}, ${aboutId}, now())`,
  );
  return `${origin}${path}${secret}`;
}

/** The change of address that this link undoes, and its account as it would be then. */
export async function findUndoableAddress(em: EntityManager, stopHash: string) {
  return await readOne(
    em,
    sql`select ${columns(AccountTable, 'id', 'name')}, ${computed('email', 'text', sql`former_email`)},
        ${columns(AddressChangeTable, 'changedAt')}
      from stop_link join address_change on address_change.id = stop_link.about_id
      join account on account.id = stop_link.account_id
      where stop_link.secret_hash = ${stopHash} and undone_at is null
        and changed_at > now() - make_interval(days => ${UNDO_DAYS})`,
  );
}

/** The account whose closing this link stops. */
export async function findClosing(em: EntityManager, stopHash: string) {
  return await readOne(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name', 'closesAt')}
      from stop_link join account on account.id = stop_link.about_id
      where stop_link.secret_hash = ${stopHash} and closes_at is not null and closed_at is null`,
  );
}

/** The reset of a second factor that this link can stop; null if it is stopped, has taken effect or never existed. */
export async function findFactorReset(em: EntityManager, stopHash: string) {
  return await readOne(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name')},
        ${computed('resetAt', 'timestamptz', sql`second_factor.reset_at`)}
      from second_factor join account on account.id = second_factor.account_id
      where second_factor.stop_hash = ${stopHash} and second_factor.reset_at > now()`,
  );
}

export type PayoutStop = NonNullable<Awaited<ReturnType<typeof findPayoutStop>>>;

/** The change of payout details that this link stops; null for any other secret. The table has a row for each change of the last days only. */
export async function findPayoutStop(em: EntityManager, secretHash: string) {
  return await readOne(
    em,
    sql`select ${columns(PayoutStopTable, 'changeId', 'workspaceId', 'accountId', 'until')},
        ${columns(AccountTable, 'email')}, ${computed('workspaceName', 'text', sql`business.name`)}
      from stop_link join payout_stop on payout_stop.change_id = stop_link.about_id
        -- The worker may sign in with another account since.
        and payout_stop.account_id = stop_link.account_id
      join account on account.id = payout_stop.account_id join business on business.id = workspace_id
      where stop_link.secret_hash = ${secretHash}`,
  );
}

/** A day later, so that a person who opens the link again reads that the change was stopped. */
export async function deleteExpiredPayoutStops(em: EntityManager): Promise<void> {
  await write(em, sql`delete from payout_stop where until < now() - interval '1 day'`);
}
