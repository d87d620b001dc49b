import { DomainError, hoursAfter, newId, notFound, throwIfInvalid } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { computed, columns, sql, type Sql } from '@payroll/store';
import { endOpenResets, RESET_LIFETIME } from '../accounts/links.js';
import {
  normalizeEmail,
  canBeUndone,
  isRequested,
  LINK_HOURS,
  LINKS_A_DAY,
  problemsOfNewAddress,
  requireFree,
  requireNoStaff,
  UNDO_DAYS,
} from '../domain/account.js';
import { PAGE_WAITS_MS } from '../mail/mailer.js';
import { tellAccount } from '../mail/outbox.js';
import { AddressChangeTable, StopLinkTable } from '../store/account-tables.js';
import { endOpenAddressLinks, endSignIns, findAccount, type Own, OWNER, requireOpenSession } from './accounts.js';

/** `secretHash`: of the link that is mailed to the new address. It replaces an earlier one. */
type RequestAddress = Own & Record<'email' | 'secretHash', string>;

/** Returns whether the link is to be mailed: not for the second click of a double click. */
export const requestAddress = defineCommand('account.request-address', {
  who: { ...OWNER, needsRecentPassword: true },
  decide: async (tx, { accountId, secretHash, ...input }: RequestAddress): Promise<boolean> => {
    await requireOpenSession(tx, { accountId });
    const account = await findAccount(tx, accountId);
    const email = normalizeEmail(input.email);
    throwIfInvalid(problemsOfNewAddress(email, account.email), 'This is no new email address.');
    requireNoStaff(await isStaff(tx, account.email));
    if (await isJustMailed(tx, { accountId, email })) return false;
    await requireFewLinks(tx, accountId);
    endOpenAddressLinks(tx, accountId);
    const open = { formerEmail: null, changedAt: null, undoneAt: null };
    const expiresAt = hoursAfter(tx.now, LINK_HOURS);
    tx.insert(AddressChangeTable, { id: newId(), accountId, email, secretHash, expiresAt, ...open });
    tx.audit('account.address-requested', accountId, {});
    return true;
  },
});

/** The page of the first click may still wait for the mail server. */
async function isJustMailed(tx: CommandTransaction, { accountId, email }: Own & { email: string }): Promise<boolean> {
  const open = await tx.read(sql`select from address_change
    where account_id = ${accountId} and email = ${email} and changed_at is null and expires_at > ${tx.now}
      and created_at > ${tx.now}::timestamptz - ${PAGE_WAITS_MS} * interval '1 ms'`);
  return open.length > 0;
}

/** With the mailed link, in a browser that is signed in: the reader of a mistyped address gets no account. */
export const changeAddress = defineCommand('account.change-address', {
  who: OWNER,
  decide: async (tx, { accountId, secretHash }: Own & { secretHash: string }): Promise<void> => {
    await requireOpenSession(tx, { accountId });
    const change = await tx.findAnywhere(AddressChangeTable, { accountId, secretHash });
    const account = await findAccount(tx, accountId);
    // Its form was sent twice.
    if (change?.changedAt && change.email === account.email) return;
    if (!change || !isRequested(change, tx.now)) throw notFound('The link');
    requireNoStaff(await isStaff(tx, account.email));
    requireFree(await othersWith(tx, accountId, change.email));
    moveTo(tx, accountId, change.email);
    const wayHere = await findWayBack(tx, account, change.email);
    tx.update(AddressChangeTable, change, { formerEmail: account.email, changedAt: tx.now });
    if (wayHere) endLinksOfOthers(tx, accountId, change.email);
    const about = wayHere
      ? ({ kind: 'address_restored', aboutId: wayHere.id } as const)
      : ({ kind: 'address_changed', aboutId: change.id } as const);
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, ...about }));
    tx.audit('account.address-changed', accountId, {});
  },
});

/** When the account first left the address, by a change that can still be undone. */
const firstLeft = (accountId: string, email: string): Sql => sql`(select min(changed_at) from address_change
  where account_id = ${accountId} and former_email = ${email} and undone_at is null
    and changed_at > now() - make_interval(days => ${UNDO_DAYS}))`;

/** The change that led to the present address, if the account left that other address within the days of undoing. */
async function findWayBack(tx: CommandTransaction, { id, email }: { id: string; email: string }, to: string) {
  const [found] = await tx.read(sql`select ${columns(AddressChangeTable, 'id')} from address_change
    where account_id = ${id} and email = ${email} and undone_at is null and changed_at >= ${firstLeft(id, to)}
    order by changed_at desc limit 1`);
  return found ?? null;
}

/**
 * The account is back at this address. Where another person has moved it away and back, the links to the addresses between would
 * take it from its owner again, also after a new password. Those to this address stay.
 */
function endLinksOfOthers(tx: CommandTransaction, accountId: string, email: string): void {
  tx.write(sql`update address_change set undone_at = ${tx.now} where account_id = ${accountId} and undone_at is null
    and former_email <> ${email} and changed_at > ${firstLeft(accountId, email)}`);
}

/** `resetHash`: of the link for a new password that is mailed to the restored address. No password has `passwordHash`. */
type RestoreAddress = Own & Record<'stopHash' | 'passwordHash' | 'resetHash', string>;

/**
 * With the link that was mailed to the former address. Undoes that change and all later ones, so that the owner gets the
 * account back after any number of changes by another person, and shuts that person out.
 */
export const restoreAddress = defineCommand('account.restore-address', {
  who: OWNER,
  decide: async (tx, { accountId, stopHash, passwordHash, resetHash }: RestoreAddress): Promise<void> => {
    const link = await tx.findAnywhere(StopLinkTable, { secretHash: stopHash, accountId });
    const change = link && (await tx.findAnywhere(AddressChangeTable, { id: link.aboutId, accountId }));
    if (!change?.formerEmail || !canBeUndone(change, tx.now)) throw notFound('The link');
    const { email: lastEmail } = await findAccount(tx, accountId);
    endSignIns(tx, accountId);
    moveTo(tx, accountId, change.formerEmail);
    // The other person may have asked for the closing too.
    tx.write(sql`update account set password_hash = ${passwordHash}, closes_at = null where id = ${accountId}`);
    tx.write(sql`insert into password_reset (secret_hash, account_id, expires_at)
      values (${resetHash}, ${accountId}, ${tx.now}::timestamptz + ${RESET_LIFETIME}::interval)`);
    const undone = await tx.read(sql`update address_change set undone_at = ${tx.now}
      where account_id = ${accountId} and changed_at >= ${change.changedAt} and undone_at is null
      returning ${columns(AddressChangeTable, 'id', 'email')}`);
    // None if the account was moved back already.
    const last = undone.find(({ email }) => email === lastEmail);
    if (last)
      tx.write(tellAccount({ sourceId: tx.operationId, accountId, kind: 'address_restored', aboutId: last.id }));
    tx.audit('account.address-restored', accountId, {});
  },
});

/** Whether an internal token names its owner by this address. An expired one counts: it may be renewed. */
async function isStaff(tx: CommandTransaction, email: string): Promise<boolean> {
  const tokens = await tx.read(sql`select from internal_token where owner = ${email} and revoked_at is null limit 1`);
  return tokens.length > 0;
}

/** Members of a workspace have different addresses, and no member has the address of a worker there. */
async function othersWith(tx: CommandTransaction, accountId: string, email: string) {
  const place = sql`(select workspace_id, account_id, email, true as is_member from membership where left_at is null
    union all select workspace_id, account_id, account.email, false
      from worker_access join account on account.id = account_id where ended_at is null)`;
  const workspaces = sql`array(
    select distinct b.name from ${place} own
    join ${place} other on other.workspace_id = own.workspace_id and other.account_id is distinct from own.account_id
    join business b on b.id = own.workspace_id
    where own.account_id = ${accountId} and other.email = ${email} and (own.is_member or other.is_member)
    order by b.name)`;
  const isTaken = sql`exists (
    select from account where email = ${email} and email_verified_at is not null and id <> ${accountId})`;
  const [others] = await tx.read(
    sql`select ${computed('isTaken', 'boolean', isTaken)}, ${computed('workspaces', 'text[]', workspaces)}`,
  );
  return others!;
}

/** @throws DomainError `RATE_LIMITED` */
async function requireFewLinks(tx: CommandTransaction, accountId: string): Promise<void> {
  const [sent] = await tx.read(sql`
    select ${computed('count', 'int', sql`count(*)`)} from address_change
    where account_id = ${accountId} and created_at > ${tx.now}::timestamptz - interval '1 day'`);
  if (sent!.count < LINKS_A_DAY) return;
  const message = 'Too many links were mailed to new addresses within a day. Try again tomorrow.';
  throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds: 86_400 });
}

/**
 * Changes the address here and in the account's workspaces, and ends links for a new password. If another account or member has
 * taken a restored address, the account keeps it unverified and its membership the other address: taking it must not keep
 * the owner out.
 */
function moveTo(tx: CommandTransaction, accountId: string, email: string): void {
  tx.write(sql`update account set email = ${email}, updated_at = ${tx.now}, email_verified_at = case when exists (
      select from account other where other.email = ${email} and other.email_verified_at is not null
        and other.id <> ${accountId}) then null else ${tx.now}::timestamptz end
    where id = ${accountId}`);
  tx.write(sql`update membership own set email = ${email} where account_id = ${accountId} and left_at is null
    and not exists (select from membership other where other.workspace_id = own.workspace_id and other.id <> own.id
      and other.email = ${email} and other.left_at is null)`);
  tx.write(endOpenResets(accountId, tx.now));
}
