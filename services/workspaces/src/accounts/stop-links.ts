import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret, newSecret } from '@payroll/pages';
import { columns, computed, read, type TableRow, sql, write } from '@payroll/store';
import { UNDO_DAYS } from '../domain/account.js';
import type { NoticeKind } from '../domain/notice.js';
import { AccountTable, AddressChangeTable } from '../store/account-tables.js';
import { type NoticeTable, PayoutStopTable } from '../store/mail-tables.js';

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

/** The change that this link undoes, and its account as it would be then. */
export async function findUndoable(em: EntityManager, stopHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'name')}, ${computed('email', 'text', sql`former_email`)},
        ${columns(AddressChangeTable, 'changedAt')}
      from stop_link join address_change on address_change.id = stop_link.about_id
      join account on account.id = stop_link.account_id
      where stop_link.secret_hash = ${stopHash} and undone_at is null
        and changed_at > now() - make_interval(days => ${UNDO_DAYS})`,
  );
  return found ?? null;
}

/** The account whose closing this link stops. */
export async function findClosing(em: EntityManager, stopHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name', 'closesAt')}
      from stop_link join account on account.id = stop_link.about_id
      where stop_link.secret_hash = ${stopHash} and closes_at is not null and closed_at is null`,
  );
  return found ?? null;
}

/** The reset that this link can stop; null if it is stopped, has taken effect or never existed. */
export async function findFactorReset(em: EntityManager, stopHash: string) {
  const [found] = await read(
    em,
    sql`select ${columns(AccountTable, 'id', 'email', 'name')},
        ${computed('resetAt', 'timestamptz', sql`second_factor.reset_at`)}
      from second_factor join account on account.id = second_factor.account_id
      where second_factor.stop_hash = ${stopHash} and second_factor.reset_at > now()`,
  );
  return found ?? null;
}

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
