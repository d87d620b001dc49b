import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret, newSecret } from '@payroll/pages';
import { type TableRow, sql, write } from '@payroll/store';
import type { NoticeKind } from '../domain/notice.js';
import type { NoticeTable } from '../store/mail-tables.js';

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
